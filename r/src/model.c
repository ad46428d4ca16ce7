/* Files and texts of models, and what a model is. */
#include "package.h"

SEXP is_empty(SEXP handle) { return Rf_ScalarLogical(R_ExternalPtrAddr(handle) == NULL); }

SEXP load_model(SEXP path) {
  SEXP handle = PROTECT(new_handle());
  linkgistic_model* model = NULL;
  check(linkgistic_load(utf8(path), &model));
  R_SetExternalPtrAddr(handle, model);
  UNPROTECT(1);
  return handle;
}

SEXP save_model(SEXP handle, SEXP path) {
  check(linkgistic_save(model_in(handle), utf8(path)));
  return R_NilValue;
}

SEXP from_json(SEXP json) {
  SEXP handle = PROTECT(new_handle());
  linkgistic_model* model = NULL;
  check(linkgistic_from_json(utf8(json), &model));
  R_SetExternalPtrAddr(handle, model);
  UNPROTECT(1);
  return handle;
}

typedef int (*text_function)(const linkgistic_model* model, char** text);

static SEXP text_from(SEXP handle, text_function function) {
  char* text = NULL;
  check(function(model_in(handle), &text));
  return text_taken(text);
}

SEXP to_json(SEXP handle) { return text_from(handle, linkgistic_to_json); }
SEXP summary_text(SEXP handle) { return text_from(handle, linkgistic_summary_text); }
SEXP warnings_text(SEXP handle) { return text_from(handle, linkgistic_warnings); }

SEXP kind(SEXP handle) {
  const char* text = NULL;
  check(linkgistic_kind(model_in(handle), &text));
  return text_of(text);
}

typedef int (*name_function)(const linkgistic_model* model, size_t number, const char** name);

static SEXP all_names(SEXP handle, size_t count, name_function function) {
  const linkgistic_model* model = model_in(handle);
  SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
  for (size_t i = 0; i < count; ++i) {
    const char* name = NULL;
    check(function(model, i, &name));
    SET_STRING_ELT(names, (R_xlen_t)i, Rf_mkCharCE(name, CE_UTF8));
  }
  UNPROTECT(1);
  return names;
}

SEXP class_names(SEXP handle) {
  size_t classes = 0;
  check(linkgistic_classes(model_in(handle), &classes));
  return all_names(handle, classes, linkgistic_class_name);
}

SEXP feature_names(SEXP handle) {
  size_t features = 0;
  check(linkgistic_inputs(model_in(handle), &features));
  return all_names(handle, features, linkgistic_feature_name);
}

SEXP score_names(SEXP handle) {
  size_t scores = 0;
  check(linkgistic_scores(model_in(handle), &scores));
  return all_names(handle, scores, linkgistic_score_name);
}

SEXP column(SEXP handle, SEXP role) {
  const char* name = NULL;
  check(linkgistic_column(model_in(handle), utf8(role), &name));
  return name == NULL ? R_NilValue : text_of(name);
}

SEXP name_column(SEXP handle, SEXP role, SEXP name) {
  check(linkgistic_name_column(model_in(handle), utf8(role), utf8(name)));
  return R_NilValue;
}

SEXP version(void) { return text_of(linkgistic_version()); }
