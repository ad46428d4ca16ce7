/* What a model says: predictions, inverse, coefficients, range, link. */
#include "package.h"

/* A matrix of NaN with names of its columns. */
static SEXP named_matrix(R_xlen_t rows, int columns, const char* const* names) {
  SEXP matrix = PROTECT(Rf_allocMatrix(REALSXP, (int)rows, columns));
  SEXP both = PROTECT(Rf_allocVector(VECSXP, 2));
  SEXP heads = PROTECT(Rf_allocVector(STRSXP, columns));
  for (int j = 0; j < columns; ++j) SET_STRING_ELT(heads, j, Rf_mkChar(names[j]));
  SET_VECTOR_ELT(both, 1, heads);
  Rf_setAttrib(matrix, R_DimNamesSymbol, both);
  UNPROTECT(3);
  return matrix;
}

/* values (n, inputs) to (n, outputs, 1), or with an interval to (n, outputs, 3): estimate, lower, upper. */
SEXP predict_values(SEXP handle, SEXP values, SEXP interval) {
  const linkgistic_model* model = model_in(handle);
  const int rows = Rf_nrows(values), columns = Rf_ncols(values), band = interval != R_NilValue;
  size_t classes = 0;
  check(linkgistic_classes(model, &classes));
  const int outputs = classes == 0 ? 1 : (int)classes;
  SEXP result = PROTECT(Rf_alloc3DArray(REALSXP, rows, outputs, band ? 3 : 1));
  double* const to = REAL(result);
  const size_t slice = (size_t)rows * (size_t)outputs;
  check(linkgistic_predict(model, REAL(values), (size_t)rows, (size_t)columns, LINKGISTIC_COLUMN_MAJOR,
                           band ? Rf_asReal(interval) : 0, to, band ? to + slice : NULL,
                           band ? to + 2 * slice : NULL));
  UNPROTECT(1);
  return result;
}

/* x (n) to (n, 1), or with an interval to (n, 5). */
SEXP predict_response(SEXP handle, SEXP x, SEXP offset, SEXP exposure, SEXP trials, SEXP interval) {
  static const char* const names[] = {"estimate", "lower", "upper", "obs_lower", "obs_upper"};
  const R_xlen_t rows = XLENGTH(x);
  const int band = interval != R_NilValue;
  SEXP result = PROTECT(named_matrix(rows, band ? 5 : 1, names));
  double* const to = REAL(result);
  check(linkgistic_predict_response(model_in(handle), REAL(x), numbers_of(offset), numbers_of(exposure),
                                    numbers_of(trials), (size_t)rows, band ? Rf_asReal(interval) : 0, to,
                                    band ? to + rows : NULL, band ? to + 2 * rows : NULL,
                                    band ? to + 3 * rows : NULL, band ? to + 4 * rows : NULL));
  UNPROTECT(1);
  return result;
}

SEXP inverse_at(SEXP handle, SEXP level, SEXP interval) {
  static const char* const names[] = {"level", "estimate", "lower", "upper"};
  const linkgistic_model* model = model_in(handle);
  const R_xlen_t rows = XLENGTH(level);
  SEXP result = PROTECT(named_matrix(rows, 4, names));
  double* const to = REAL(result);
  for (R_xlen_t i = 0; i < rows; ++i) {
    to[i] = REAL(level)[i];
    check(linkgistic_inverse(model, to[i], Rf_asReal(interval), to + rows + i, to + 2 * rows + i,
                             to + 3 * rows + i));
  }
  UNPROTECT(1);
  return result;
}

/* (features + 1, scores): R's columns are the library's rows. */
SEXP coefficients(SEXP handle) {
  const linkgistic_model* model = model_in(handle);
  size_t scores = 0, features = 0;
  check(linkgistic_scores(model, &scores));
  check(linkgistic_inputs(model, &features));
  SEXP result = PROTECT(Rf_allocMatrix(REALSXP, (int)features + 1, (int)scores));
  check(linkgistic_coefficients(model, REAL(result)));
  UNPROTECT(1);
  return result;
}

SEXP range_of(SEXP handle, SEXP score) {
  SEXP result = PROTECT(Rf_allocVector(REALSXP, 2));
  check(linkgistic_range(model_in(handle), (size_t)Rf_asInteger(score), REAL(result), REAL(result) + 1));
  UNPROTECT(1);
  return result;
}

SEXP link_at(SEXP handle, SEXP score, SEXP at, SEXP interval) {
  static const char* const names[] = {"estimate", "lower", "upper"};
  const R_xlen_t rows = XLENGTH(at);
  SEXP result = PROTECT(named_matrix(rows, 3, names));
  double* const to = REAL(result);
  check(linkgistic_link(model_in(handle), (size_t)Rf_asInteger(score), REAL(at), (size_t)rows,
                        Rf_asReal(interval), to, to + rows, to + 2 * rows));
  UNPROTECT(1);
  return result;
}
