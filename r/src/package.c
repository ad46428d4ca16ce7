/* Errors, handles, texts, and the table of the routines that R calls. */
#include "package.h"

#include <R_ext/Rdynload.h>

void check(int status) {
  if (status != LINKGISTIC_OK) Rf_errorcall(R_NilValue, "%s", linkgistic_last_error());
}

static void finalize(SEXP handle) {
  linkgistic_free(R_ExternalPtrAddr(handle));
  R_ClearExternalPtr(handle);
}

SEXP new_handle(void) {
  SEXP handle = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(handle, finalize, TRUE);
  UNPROTECT(1);
  return handle;
}

linkgistic_model* model_in(SEXP handle) {
  if (TYPEOF(handle) != EXTPTRSXP || R_ExternalPtrAddr(handle) == NULL)
    Rf_errorcall(R_NilValue, "this is no model of linkgistic");
  return R_ExternalPtrAddr(handle);
}

const char* utf8(SEXP text) { return text == R_NilValue ? NULL : Rf_translateCharUTF8(Rf_asChar(text)); }

SEXP text_of(const char* utf8_text) { return Rf_ScalarString(Rf_mkCharCE(utf8_text, CE_UTF8)); }

SEXP text_taken(char* utf8_text) {
  SEXP text = PROTECT(text_of(utf8_text));
  linkgistic_free_text(utf8_text);
  UNPROTECT(1);
  return text;
}

const char** names_of(SEXP names) {
  if (names == R_NilValue) return NULL;
  const R_xlen_t count = XLENGTH(names);
  const char** result = (const char**)R_alloc((size_t)count + 1, sizeof(const char*));
  for (R_xlen_t i = 0; i < count; ++i) result[i] = Rf_translateCharUTF8(STRING_ELT(names, i));
  return result;
}

const double* numbers_of(SEXP vector) { return vector == R_NilValue ? NULL : REAL(vector); }

/* Its address is another one in each thread. */
static _Thread_local char mark;

struct watch new_watch(void) {
  struct watch w = {&mark, 0};
  return w;
}

static void ask(void* unused) {
  (void)unused;
  R_CheckUserInterrupt();
}

int stop_on_interrupt(void* context) {
  struct watch* w = context;
  if (!w->interrupted && w->caller == &mark) w->interrupted = !R_ToplevelExec(ask, NULL);
  return w->interrupted;
}

void tell_interrupt(const struct watch* w) {
  if (w->interrupted) Rf_warningcall(R_NilValue, "the fit was interrupted: this is the best one so far");
}

#define ROUTINE(name, arguments) \
  { #name, (DL_FUNC)&name, arguments }
static const R_CallMethodDef routines[] = {ROUTINE(fit_regression, 7),
                                           ROUTINE(fit_calibrator, 4),
                                           ROUTINE(fit_class_calibrator, 5),
                                           ROUTINE(fit_classifier, 6),
                                           ROUTINE(is_empty, 1),
                                           ROUTINE(load_model, 1),
                                           ROUTINE(save_model, 2),
                                           ROUTINE(from_json, 1),
                                           ROUTINE(to_json, 1),
                                           ROUTINE(kind, 1),
                                           ROUTINE(summary_text, 1),
                                           ROUTINE(warnings_text, 1),
                                           ROUTINE(class_names, 1),
                                           ROUTINE(feature_names, 1),
                                           ROUTINE(score_names, 1),
                                           ROUTINE(column, 2),
                                           ROUTINE(name_column, 3),
                                           ROUTINE(version, 0),
                                           ROUTINE(predict_values, 3),
                                           ROUTINE(predict_response, 6),
                                           ROUTINE(inverse_at, 3),
                                           ROUTINE(coefficients, 1),
                                           ROUTINE(range_of, 2),
                                           ROUTINE(link_at, 4),
                                           {NULL, NULL, 0}};

void R_init_linkgistic(DllInfo* library) {
  R_registerRoutines(library, NULL, routines, NULL, NULL);
  R_useDynamicSymbols(library, FALSE);
  R_forceSymbols(library, TRUE);
}
