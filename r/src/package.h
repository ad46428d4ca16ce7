/* What the files of the package share. They use R's C interface and linkgistic.h alone. */
#ifndef PACKAGE_H
#define PACKAGE_H

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>

#include <linkgistic/linkgistic.h>

/* An error of R with the message of the library, if a call failed. */
void check(int status);

/* A handle of R, which frees its model with itself; empty at first. */
SEXP new_handle(void);
/* The model in a handle; an error of R if it is empty. */
linkgistic_model* model_in(SEXP handle);

/* A text of R in UTF-8; NULL of NULL. */
const char* utf8(SEXP text);
SEXP text_of(const char* utf8_text);
/* The same, and the library's text is freed. */
SEXP text_taken(char* utf8_text);
/* Names (n) in R's memory; NULL of NULL. */
const char** names_of(SEXP names);

/* The numbers of a vector; NULL of NULL. */
const double* numbers_of(SEXP vector);

/* Asks R about Ctrl-C, in the thread that called only. */
struct watch {
  void* caller; /* this thread's mark */
  int interrupted;
};
struct watch new_watch(void);
int stop_on_interrupt(void* watch);
/* Tells R that a fit was broken off; what there is is its best so far. */
void tell_interrupt(const struct watch* watch);

SEXP fit_regression(SEXP x, SEXP y, SEXP weight, SEXP offset, SEXP exposure, SEXP trials, SEXP options);
SEXP fit_calibrator(SEXP score, SEXP label, SEXP weight, SEXP options);
SEXP fit_class_calibrator(SEXP scores, SEXP label, SEXP classes, SEXP weight, SEXP options);
SEXP fit_classifier(SEXP x, SEXP features, SEXP label, SEXP classes, SEXP weight, SEXP options);

SEXP is_empty(SEXP handle);
SEXP load_model(SEXP path);
SEXP save_model(SEXP handle, SEXP path);
SEXP from_json(SEXP json);
SEXP to_json(SEXP handle);

SEXP kind(SEXP handle);
SEXP summary_text(SEXP handle);
SEXP warnings_text(SEXP handle);
SEXP class_names(SEXP handle);
SEXP feature_names(SEXP handle);
SEXP score_names(SEXP handle);
SEXP column(SEXP handle, SEXP role);
SEXP name_column(SEXP handle, SEXP role, SEXP name);
SEXP version(void);

SEXP predict_values(SEXP handle, SEXP values, SEXP interval);
SEXP predict_response(SEXP handle, SEXP x, SEXP offset, SEXP exposure, SEXP trials, SEXP interval);
SEXP inverse_at(SEXP handle, SEXP level, SEXP interval);
SEXP coefficients(SEXP handle);
SEXP range_of(SEXP handle, SEXP score);
SEXP link_at(SEXP handle, SEXP score, SEXP at, SEXP interval);

#endif
