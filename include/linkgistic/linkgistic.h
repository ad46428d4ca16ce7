/* The C interface, for programs in C and packages of other languages: docs/c.md has an example.
 *
 * - A fitted model of any kind is a linkgistic_model. It does not change once it is made, but by
 *   linkgistic_name_column, so several threads may use it at once.
 * - A function that can fail returns a status. If it is not 0, linkgistic_last_error() says why, and what the
 *   function would have written is not to be read; a model is then NULL.
 * - Options are a JSON object, {"prior": "isgp", "seed": 1}, or NULL for the defaults: the names, values and
 *   defaults of the members of the option structs of C++ and of the keywords of Python. A name that is no
 *   option is an error that names it.
 * - Texts are UTF-8 and end with a zero byte. Numbers are finite where nothing else is said.
 * - Matrices lie row by row or column by column, as `layout` says, those that are written like those that are
 *   read.
 */
#ifndef LINKGISTIC_LINKGISTIC_H
#define LINKGISTIC_LINKGISTIC_H

#include <stddef.h>
#include <stdint.h>

#ifndef LINKGISTIC_API /* the same as in linkgistic/export.hpp */
#define LINKGISTIC_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Grows by one when functions are added. What there is keeps its name, its arguments and its meaning. */
#define LINKGISTIC_C_API_VERSION 1

/* The LINKGISTIC_C_API_VERSION of the library that the program runs with. */
LINKGISTIC_API int linkgistic_c_api_version(void);
/* The version of the library, as "0.1.0". */
LINKGISTIC_API const char* linkgistic_version(void);

enum linkgistic_status {
  LINKGISTIC_OK = 0,
  LINKGISTIC_INPUT_ERROR = 1, /* data or a file are at fault; the message names the argument, row or file */
  LINKGISTIC_USAGE_ERROR = 2, /* an option or an argument is; the message names it and the constraint */
  LINKGISTIC_OTHER_ERROR = 3  /* memory, or a fit that was stopped before there was a result */
};

/* What the last call in this thread that failed says; "" if none has. Valid until the next one. */
LINKGISTIC_API const char* linkgistic_last_error(void);

enum linkgistic_layout { LINKGISTIC_ROW_MAJOR = 0, LINKGISTIC_COLUMN_MAJOR = 1 };

typedef struct linkgistic_model linkgistic_model;

/* Asked between the steps of a fit, by one thread at a time, which need not be the caller's. If it returns
 * another value than 0 the fit ends with the best model so far, or with LINKGISTIC_OTHER_ERROR if there is
 * none yet. NULL: the fit is not to be stopped. */
typedef int (*linkgistic_stop)(void* context);

/* Fits. Weights (rows) are not negative, or NULL: every row counts once. The model is the caller's, who gives
 * it to linkgistic_free. ----------------------------------------------------------------------------------
 */

/* Monotone regression of y on x, both (rows). Options: MonotoneRegressionOptions. */
LINKGISTIC_API int linkgistic_fit_regression(const double* x, const double* y, const double* weight,
                                             size_t rows, const char* options, linkgistic_stop stop,
                                             void* context, linkgistic_model** model);

/* The same with what the rows of some responses have beside, each (rows) or NULL: what is added to the curve
 * on the scale of the link, 0 in all rows; a factor of the mean, 1; how many trials y is the successes of. */
LINKGISTIC_API int linkgistic_fit_response(const double* x, const double* y, const double* weight,
                                           const double* offset, const double* exposure, const double* trials,
                                           size_t rows, const char* options, linkgistic_stop stop,
                                           void* context, linkgistic_model** model);

/* Calibration of the scores (rows) of a classifier, which may be infinite, by labels (rows), 0 or 1. Options:
 * CalibratorOptions. */
LINKGISTIC_API int linkgistic_fit_calibrator(const double* score, const int32_t* label, const double* weight,
                                             size_t rows, const char* options, linkgistic_model** model);

/* The same for many classes: scores (rows, classes), labels (rows) from 0 to classes - 1. class_names
 * (classes), or NULL: the numbers of the classes. Options: ClassCalibratorOptions. */
LINKGISTIC_API int linkgistic_fit_class_calibrator(const double* scores, size_t rows, size_t classes,
                                                   int layout, const int32_t* label,
                                                   const char* const* class_names, const double* weight,
                                                   const char* options, linkgistic_stop stop, void* context,
                                                   linkgistic_model** model);

/* Linkgistic regression of labels (rows) on x (rows, columns). With class_names (classes) the labels are from
 * 0 to classes - 1; with NULL they are any numbers, which name their classes, in ascending order, and
 * `classes` is not looked at. feature_names (columns), or NULL: x1, x2, ... Options: LinkgisticOptions. */
LINKGISTIC_API int linkgistic_fit_classifier(const double* x, size_t rows, size_t columns, int layout,
                                             const char* const* feature_names, const int32_t* label,
                                             const char* const* class_names, size_t classes,
                                             const double* weight, const char* options, linkgistic_stop stop,
                                             void* context, linkgistic_model** model);

/* Frees a model; NULL is allowed. */
LINKGISTIC_API void linkgistic_free(linkgistic_model* model);

/* Files and texts. They are the model files of the program and of Python. -------------------------------- */

LINKGISTIC_API int linkgistic_load(const char* path, linkgistic_model** model);
/* Writes the whole file or nothing. */
LINKGISTIC_API int linkgistic_save(const linkgistic_model* model, const char* path);
LINKGISTIC_API int linkgistic_from_json(const char* json, linkgistic_model** model);
/* The text is the caller's, who gives it to linkgistic_free_text. */
LINKGISTIC_API int linkgistic_to_json(const linkgistic_model* model, char** json);
/* What was fitted, from what, how it ended: lines for a reader. To be freed likewise. */
LINKGISTIC_API int linkgistic_summary_text(const linkgistic_model* model, char** text);
/* A line a warning of the fit; "" if there are none. To be freed likewise. */
LINKGISTIC_API int linkgistic_warnings(const linkgistic_model* model, char** text);
/* NULL is allowed. */
LINKGISTIC_API void linkgistic_free_text(char* text);

/* What a model is. Texts are the model's and valid until it is freed or a column is named. ----------------
 */

/* "monotone regression", "monotone calibrator", "class calibrator" or "linkgistic classifier". */
LINKGISTIC_API int linkgistic_kind(const linkgistic_model* model, const char** kind);
/* The columns that linkgistic_predict reads: 1, of a class calibrator the classes, of a classifier its
 * features. */
LINKGISTIC_API int linkgistic_inputs(const linkgistic_model* model, size_t* inputs);
/* The classes, which are the columns that linkgistic_predict writes; 0 of a regression and a calibrator, of
 * which it writes one. */
LINKGISTIC_API int linkgistic_classes(const linkgistic_model* model, size_t* classes);
/* The name of a class, from 0. */
LINKGISTIC_API int linkgistic_class_name(const linkgistic_model* model, size_t number, const char** name);
/* The name of a feature of a classifier, from 0. */
LINKGISTIC_API int linkgistic_feature_name(const linkgistic_model* model, size_t number, const char** name);
/* The name that a column of the data had; NULL if the model does not know. Roles: of a regression "x", "y",
 * "weight"; of a calibrator "score", "label", "weight", "positive" (the positive label); of a class
 * calibrator "score 1", "score 2", ..., "label", "weight". A classifier has feature names. */
LINKGISTIC_API int linkgistic_column(const linkgistic_model* model, const char* role, const char** name);
/* Gives it a name, which the model's file keeps: the program then finds the column by itself. No other thread
 * may use the model meanwhile. */
LINKGISTIC_API int linkgistic_name_column(linkgistic_model* model, const char* role, const char* name);

/* What a model says. Arrays that are written are the caller's; one that is not wanted is NULL. -------------
 */

/* values (rows, inputs): x, scores or features. estimate and the ends of its credible band are (rows), or
 * (rows, classes) where there are classes: the curve of a regression, the probability of the positive label
 * or of each class. `interval`, between 0 and 1, is looked at if an end of the band is wanted. The ends are
 * NaN where a model has no bands. */
LINKGISTIC_API int linkgistic_predict(const linkgistic_model* model, const double* values, size_t rows,
                                      size_t columns, int layout, double interval, double* estimate,
                                      double* lower, double* upper);
/* Of a regression the ends (rows) of the predictive band of an observation at each x (rows). */
LINKGISTIC_API int linkgistic_predict_observations(const linkgistic_model* model, const double* x,
                                                   size_t rows, double interval, double* lower,
                                                   double* upper);
/* Both of a regression for rows with offsets, exposures or trials, each (rows) or NULL: the mean for the
 * row's exposure, of binomial rows the share of successes, and an observation in the row's trials. */
LINKGISTIC_API int linkgistic_predict_response(const linkgistic_model* model, const double* x,
                                               const double* offset, const double* exposure,
                                               const double* trials, size_t rows, double interval,
                                               double* estimate, double* lower, double* upper,
                                               double* obs_lower, double* obs_upper);
/* Of a regression the x at which the curve is `level`, with its interval; NaN what is not reached within the
 * data. */
LINKGISTIC_API int linkgistic_inverse(const linkgistic_model* model, double level, double interval,
                                      double* estimate, double* lower, double* upper);
/* How many linear scores a classifier has: one for two classes, else one a class, or of ovo one a pair. */
LINKGISTIC_API int linkgistic_scores(const linkgistic_model* model, size_t* scores);
/* The class that a score of a classifier, from 0, speaks for; of ovo "b against a". */
LINKGISTIC_API int linkgistic_score_name(const linkgistic_model* model, size_t score, const char** name);
/* Of a classifier (scores, inputs + 1), row by row: the intercept, then the coefficients of the features. */
LINKGISTIC_API int linkgistic_coefficients(const linkgistic_model* model, double* coefficients);
/* The range of the training data: of x, of the score of a calibrator, of a score of a classifier, from 0. */
LINKGISTIC_API int linkgistic_range(const linkgistic_model* model, size_t score, double* lower,
                                    double* upper);
/* Of a classifier the link of a score, from 0, at linear scores (rows): log odds with the ends of their band.
 */
LINKGISTIC_API int linkgistic_link(const linkgistic_model* model, size_t score, const double* at, size_t rows,
                                   double interval, double* estimate, double* lower, double* upper);

#ifdef __cplusplus
}
#endif

#endif
