/* Fits. The functions of R have checked types and lengths; a model goes into its handle before anything can
 * fail. */
#include "package.h"

SEXP fit_regression(SEXP x, SEXP y, SEXP weight, SEXP offset, SEXP exposure, SEXP trials, SEXP options) {
  SEXP handle = PROTECT(new_handle());
  struct watch watch = new_watch();
  linkgistic_model* model = NULL;
  check(linkgistic_fit_response(REAL(x), REAL(y), numbers_of(weight), numbers_of(offset),
                                numbers_of(exposure), numbers_of(trials), (size_t)XLENGTH(x), utf8(options),
                                stop_on_interrupt, &watch, &model));
  R_SetExternalPtrAddr(handle, model);
  tell_interrupt(&watch);
  UNPROTECT(1);
  return handle;
}

SEXP fit_calibrator(SEXP score, SEXP label, SEXP weight, SEXP options) {
  SEXP handle = PROTECT(new_handle());
  linkgistic_model* model = NULL;
  check(linkgistic_fit_calibrator(REAL(score), INTEGER(label), numbers_of(weight), (size_t)XLENGTH(score),
                                  utf8(options), &model));
  R_SetExternalPtrAddr(handle, model);
  UNPROTECT(1);
  return handle;
}

SEXP fit_class_calibrator(SEXP scores, SEXP label, SEXP classes, SEXP weight, SEXP options) {
  SEXP handle = PROTECT(new_handle());
  struct watch watch = new_watch();
  linkgistic_model* model = NULL;
  check(linkgistic_fit_class_calibrator(REAL(scores), (size_t)Rf_nrows(scores), (size_t)Rf_ncols(scores),
                                        LINKGISTIC_COLUMN_MAJOR, INTEGER(label), names_of(classes),
                                        numbers_of(weight), utf8(options), stop_on_interrupt, &watch,
                                        &model));
  R_SetExternalPtrAddr(handle, model);
  tell_interrupt(&watch);
  UNPROTECT(1);
  return handle;
}

SEXP fit_classifier(SEXP x, SEXP features, SEXP label, SEXP classes, SEXP weight, SEXP options) {
  SEXP handle = PROTECT(new_handle());
  struct watch watch = new_watch();
  linkgistic_model* model = NULL;
  check(linkgistic_fit_classifier(REAL(x), (size_t)Rf_nrows(x), (size_t)Rf_ncols(x), LINKGISTIC_COLUMN_MAJOR,
                                  names_of(features), INTEGER(label), names_of(classes),
                                  (size_t)XLENGTH(classes), numbers_of(weight), utf8(options),
                                  stop_on_interrupt, &watch, &model));
  R_SetExternalPtrAddr(handle, model);
  tell_interrupt(&watch);
  UNPROTECT(1);
  return handle;
}
