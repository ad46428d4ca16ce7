/* The C interface, used from C99: every kind of model is fitted, asked, saved and loaded, and every mistake
 * is told. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linkgistic/linkgistic.h>

enum { ROWS = 60, COLUMNS = 2, CLASSES = 3 };

static int failures = 0;

static void check(int holds, const char* what, int line) {
  if (holds) return;
  fprintf(stderr, "c_api_test.c:%d: %s (last error: %s)\n", line, what, linkgistic_last_error());
  ++failures;
}
#define CHECK(condition) check(condition, #condition, __LINE__)
#define CHECK_OK(call) check((call) == LINKGISTIC_OK, #call, __LINE__)

/* The status, and that the message has these words. */
#define CHECK_FAILS(call, expected, words)                                  \
  do {                                                                      \
    check((call) == (expected), #call " is " #expected, __LINE__);          \
    check(strstr(linkgistic_last_error(), words) != NULL, words, __LINE__); \
  } while (0)

struct rows {
  double x[ROWS], y[ROWS], weight[ROWS];
  double features[ROWS * COLUMNS];   /* row by row */
  double transposed[ROWS * COLUMNS]; /* the same column by column */
  double scores[ROWS * CLASSES];     /* probabilities of classes */
  int32_t label[ROWS], class_number[ROWS];
};

static void make_rows(struct rows* data) {
  for (int i = 0; i < ROWS; ++i) {
    const double t = (i + 0.5) / ROWS, wave = sin(12.9898 * (i + 1));
    data->x[i] = 10 * t;
    data->y[i] = 3 * t * t + 0.1 * wave;
    data->weight[i] = 1 + i % 2;
    data->label[i] = t + 0.3 * wave > 0.5;
    data->class_number[i] = i % CLASSES;
    data->features[i * COLUMNS] = t;
    data->features[i * COLUMNS + 1] = cos(7.0 * i);
    data->transposed[i] = data->features[i * COLUMNS];
    data->transposed[ROWS + i] = data->features[i * COLUMNS + 1];
    for (int c = 0; c < CLASSES; ++c)
      data->scores[i * CLASSES + c] = c == (i % 7 == 0 ? (i + 1) % CLASSES : i % CLASSES) ? 0.6 : 0.2;
  }
}

static int same(const double* a, const double* b, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!(a[i] == b[i]) && !(isnan(a[i]) && isnan(b[i]))) return 0;
  return 1;
}

/* That a model and the one that is read from its file and from its text say the same. */
static void check_copies(const linkgistic_model* model, const double* values, size_t columns,
                         size_t outputs) {
  const char* path = "c_api_test.json";
  double before[3][ROWS * CLASSES], after[3][ROWS * CLASSES];
  linkgistic_model *loaded = NULL, *parsed = NULL;
  char* text = NULL;
  CHECK_OK(linkgistic_predict(model, values, ROWS, columns, LINKGISTIC_ROW_MAJOR, 0.9, before[0], before[1],
                              before[2]));
  CHECK_OK(linkgistic_save(model, path));
  CHECK_OK(linkgistic_load(path, &loaded));
  CHECK_OK(linkgistic_to_json(model, &text));
  CHECK_OK(linkgistic_from_json(text, &parsed));
  for (int copy = 0; copy < 2; ++copy) {
    CHECK_OK(linkgistic_predict(copy == 0 ? loaded : parsed, values, ROWS, columns, LINKGISTIC_ROW_MAJOR, 0.9,
                                after[0], after[1], after[2]));
    for (int k = 0; k < 3; ++k) CHECK(same(before[k], after[k], ROWS * outputs));
  }
  /* The point estimate is the same without the ends. */
  CHECK_OK(linkgistic_predict(model, values, ROWS, columns, LINKGISTIC_ROW_MAJOR, 0, after[0], NULL, NULL));
  CHECK(same(before[0], after[0], ROWS * outputs));
  for (size_t i = 0; i < ROWS * outputs; ++i) CHECK(before[1][i] <= before[2][i]);
  linkgistic_free_text(text);
  linkgistic_free(parsed);
  linkgistic_free(loaded);
  remove(path);
}

static void check_kind(const linkgistic_model* model, const char* kind, size_t inputs, size_t classes) {
  const char* found = NULL;
  size_t size = 99;
  char* text = NULL;
  CHECK_OK(linkgistic_kind(model, &found));
  CHECK(found != NULL && strcmp(found, kind) == 0);
  CHECK_OK(linkgistic_inputs(model, &size));
  CHECK(size == inputs);
  CHECK_OK(linkgistic_classes(model, &size));
  CHECK(size == classes);
  CHECK_OK(linkgistic_summary_text(model, &text));
  CHECK(text != NULL && strlen(text) > 100);
  linkgistic_free_text(text);
  CHECK_OK(linkgistic_warnings(model, &text));
  CHECK(text != NULL);
  linkgistic_free_text(text);
}

static void test_regression(const struct rows* data) {
  linkgistic_model *model = NULL, *other = NULL;
  double estimate[ROWS], lower[ROWS], upper[ROWS], obs_lower[ROWS], obs_upper[ROWS], x, from, to;
  const char* name = "";
  CHECK_OK(linkgistic_fit_regression(data->x, data->y, data->weight, ROWS, NULL, NULL, NULL, &model));
  check_kind(model, "monotone regression", 1, 0);
  check_copies(model, data->x, 1, 1);
  CHECK_OK(linkgistic_predict(model, data->x, ROWS, 1, LINKGISTIC_COLUMN_MAJOR, 0.9, estimate, lower, upper));
  CHECK_OK(linkgistic_predict_observations(model, data->x, ROWS, 0.9, obs_lower, obs_upper));
  for (int i = 0; i < ROWS; ++i) {
    CHECK(i == 0 || estimate[i] > estimate[i - 1]);
    CHECK(lower[i] < upper[i] && obs_lower[i] < lower[i] && upper[i] < obs_upper[i]);
    CHECK(fabs(estimate[i] - 3 * data->x[i] * data->x[i] / 100) < 0.15);
  }
  CHECK_OK(linkgistic_inverse(model, estimate[ROWS / 2], 0.9, &x, &from, &to));
  CHECK(fabs(x - data->x[ROWS / 2]) < 1e-6 && from < x && x < to);
  CHECK_OK(linkgistic_range(model, 0, &from, &to));
  CHECK(from == data->x[0] && to == data->x[ROWS - 1]);

  CHECK_OK(linkgistic_column(model, "x", &name));
  CHECK(name == NULL);
  CHECK_OK(linkgistic_name_column(model, "x", "dose"));
  CHECK_OK(linkgistic_column(model, "x", &name));
  CHECK(name != NULL && strcmp(name, "dose") == 0);

  /* Options are heard: weights of 2 are rows twice, a straight prior is another curve. */
  CHECK_OK(linkgistic_fit_regression(
      data->x, data->y, data->weight, ROWS,
      "{\"prior\": \"isgp\", \"harmonics\": 8, \"fixed\": {\"noise\": 0.5}, \"threads\": 1}", NULL, NULL,
      &other));
  CHECK_OK(linkgistic_predict(other, data->x, ROWS, 1, LINKGISTIC_ROW_MAJOR, 0, lower, NULL, NULL));
  CHECK(!same(estimate, lower, ROWS));
  linkgistic_free(other);

  CHECK_FAILS(linkgistic_coefficients(model, estimate), LINKGISTIC_USAGE_ERROR,
              "'monotone regression' has no coefficients");
  CHECK_FAILS(linkgistic_class_name(model, 0, &name), LINKGISTIC_USAGE_ERROR, "number = 0");
  CHECK_FAILS(linkgistic_predict(model, data->x, ROWS, 2, LINKGISTIC_ROW_MAJOR, 0.9, estimate, NULL, NULL),
              LINKGISTIC_INPUT_ERROR, "2 columns are given");
  CHECK_FAILS(linkgistic_predict(model, data->x, ROWS, 1, 7, 0.9, estimate, NULL, NULL),
              LINKGISTIC_USAGE_ERROR, "layout = 7");
  CHECK_FAILS(linkgistic_predict(model, data->x, ROWS, 1, LINKGISTIC_ROW_MAJOR, 1.5, estimate, lower, upper),
              LINKGISTIC_USAGE_ERROR, "interval");
  linkgistic_free(model);
}

/* Counts have exposures, shares have trials. */
static void test_responses(const struct rows* data) {
  linkgistic_model* model = NULL;
  double count[ROWS], exposure[ROWS], trials[ROWS], one[ROWS], many[ROWS], lower[ROWS], upper[ROWS];
  for (int i = 0; i < ROWS; ++i) {
    exposure[i] = 10 + i % 5;
    trials[i] = 4;
    count[i] = floor(exposure[i] * (1 + data->x[i]) / 5);
  }
  CHECK_OK(linkgistic_fit_response(data->x, count, NULL, NULL, exposure, NULL, ROWS,
                                   "{\"response\": \"poisson\"}", NULL, NULL, &model));
  CHECK_OK(linkgistic_predict(model, data->x, ROWS, 1, LINKGISTIC_ROW_MAJOR, 0, one, NULL, NULL));
  CHECK_OK(linkgistic_predict_response(model, data->x, NULL, exposure, NULL, ROWS, 0, many, NULL, NULL, NULL,
                                       NULL));
  for (int i = 0; i < ROWS; ++i) CHECK(fabs(many[i] - exposure[i] * one[i]) < 1e-9 * many[i]);
  CHECK_OK(linkgistic_predict_response(model, data->x, NULL, exposure, NULL, ROWS, 0.9, one, NULL, NULL,
                                       lower, upper));
  CHECK(same(one, many, ROWS));
  for (int i = 0; i < ROWS; ++i)
    CHECK(lower[i] == floor(lower[i]) && lower[i] <= many[i] && many[i] <= upper[i] + 1);
  linkgistic_free(model);

  for (int i = 0; i < ROWS; ++i) count[i] = i * 5 / ROWS;
  CHECK_FAILS(linkgistic_fit_regression(data->x, count, NULL, ROWS, "{\"response\": \"binomial\"}", NULL,
                                        NULL, &model),
              LINKGISTIC_USAGE_ERROR, "trials");
  CHECK_OK(linkgistic_fit_response(data->x, count, NULL, NULL, NULL, trials, ROWS,
                                   "{\"response\": \"binomial\"}", NULL, NULL, &model));
  CHECK_OK(linkgistic_predict(model, data->x, ROWS, 1, LINKGISTIC_ROW_MAJOR, 0.9, one, lower, upper));
  for (int i = 0; i < ROWS; ++i)
    CHECK(0 < lower[i] && lower[i] < one[i] && one[i] < upper[i] && upper[i] < 1);
  linkgistic_free(model);
}

static void test_calibrator(const struct rows* data) {
  linkgistic_model* model = NULL;
  const double ends[2] = {-INFINITY, INFINITY};
  double probability[2];
  const int32_t labels[3] = {0, 2, 1};
  CHECK_OK(
      linkgistic_fit_calibrator(data->x, data->label, NULL, ROWS, "{\"inference\": \"laplace\"}", &model));
  check_kind(model, "monotone calibrator", 1, 0);
  check_copies(model, data->x, 1, 1);
  CHECK_OK(linkgistic_predict(model, ends, 2, 1, LINKGISTIC_ROW_MAJOR, 0, probability, NULL, NULL));
  CHECK(0 < probability[0] && probability[0] < 0.1 && 0.9 < probability[1] && probability[1] < 1);
  linkgistic_free(model);
  CHECK_FAILS(linkgistic_fit_calibrator(data->x, labels, NULL, 3, NULL, &model), LINKGISTIC_INPUT_ERROR,
              "label: row 2 has 2");
  CHECK(model == NULL);
}

static void test_class_calibrator(const struct rows* data) {
  linkgistic_model* model = NULL;
  const char* const names[CLASSES] = {"ape", "bee", "cat"};
  const char* name = NULL;
  CHECK_OK(linkgistic_fit_class_calibrator(
      data->scores, ROWS, CLASSES, LINKGISTIC_ROW_MAJOR, data->class_number, names, NULL,
      "{\"maps\": \"shared\", \"method\": \"maps\", \"inference\": \"laplace\"}", NULL, NULL, &model));
  check_kind(model, "class calibrator", CLASSES, CLASSES);
  check_copies(model, data->scores, CLASSES, CLASSES);
  CHECK_OK(linkgistic_class_name(model, 2, &name));
  CHECK(name != NULL && strcmp(name, "cat") == 0);
  linkgistic_free(model);
}

static void test_classifier(const struct rows* data) {
  linkgistic_model *model = NULL, *by_column = NULL;
  const char* const features[COLUMNS] = {"age", "height"};
  const char* const classes[2] = {"no", "yes"};
  const char* name = NULL;
  size_t scores = 0;
  double beta[COLUMNS + 1], again[COLUMNS + 1], p[2 * ROWS], q[2 * ROWS], lower[2 * ROWS], upper[2 * ROWS];
  double from, to, at[2], nu[2], nu_lower[2], nu_upper[2];
  CHECK_OK(linkgistic_fit_classifier(data->features, ROWS, COLUMNS, LINKGISTIC_ROW_MAJOR, features,
                                     data->label, classes, 2, NULL, "{\"l2\": 1}", NULL, NULL, &model));
  CHECK_OK(linkgistic_fit_classifier(data->transposed, ROWS, COLUMNS, LINKGISTIC_COLUMN_MAJOR, NULL,
                                     data->label, NULL, 0, NULL, "{\"l2\": 1}", NULL, NULL, &by_column));
  check_kind(model, "linkgistic classifier", COLUMNS, 2);
  check_copies(model, data->features, COLUMNS, 2);
  CHECK_OK(linkgistic_feature_name(model, 1, &name));
  CHECK(name != NULL && strcmp(name, "height") == 0);
  CHECK_OK(linkgistic_class_name(by_column, 1, &name));
  CHECK(name != NULL && strcmp(name, "1") == 0);
  CHECK_OK(linkgistic_scores(model, &scores));
  CHECK(scores == 1);
  CHECK_OK(linkgistic_score_name(model, 0, &name));
  CHECK(name != NULL && strcmp(name, "yes") == 0);
  CHECK_OK(linkgistic_coefficients(model, beta));
  CHECK_OK(linkgistic_coefficients(by_column, again));
  CHECK(same(beta, again, COLUMNS + 1));
  CHECK(beta[1] > 0);

  /* What is written lies as what is read. */
  CHECK_OK(
      linkgistic_predict(model, data->features, ROWS, COLUMNS, LINKGISTIC_ROW_MAJOR, 0.9, p, lower, upper));
  CHECK_OK(linkgistic_predict(by_column, data->transposed, ROWS, COLUMNS, LINKGISTIC_COLUMN_MAJOR, 0.9, q,
                              NULL, NULL));
  for (int i = 0; i < ROWS; ++i) {
    CHECK(p[2 * i] == q[i] && p[2 * i + 1] == q[ROWS + i]);
    CHECK(fabs(p[2 * i] + p[2 * i + 1] - 1) < 1e-12);
    CHECK(lower[2 * i] == 1 - upper[2 * i + 1] && lower[2 * i + 1] <= upper[2 * i + 1]);
  }
  CHECK_OK(linkgistic_range(model, 0, &from, &to));
  CHECK(from < to);
  at[0] = from;
  at[1] = to;
  CHECK_OK(linkgistic_link(model, 0, at, 2, 0.9, nu, nu_lower, nu_upper));
  CHECK(nu[0] < nu[1] && nu_lower[0] < nu[0] && nu[1] < nu_upper[1]);
  CHECK_FAILS(linkgistic_link(model, 1, at, 2, 0.9, nu, nu_lower, nu_upper), LINKGISTIC_USAGE_ERROR,
              "score = 1");
  CHECK_FAILS(linkgistic_name_column(model, "x", "age"), LINKGISTIC_USAGE_ERROR, "feature names");
  linkgistic_free(by_column);
  linkgistic_free(model);
}

static int always(void* context) {
  ++*(int*)context;
  return 1;
}

static void test_mistakes(const struct rows* data) {
  linkgistic_model* model = (linkgistic_model*)(void*)&failures; /* anything but NULL */
  double bad[3] = {1, NAN, 3};
  char* text = NULL;
  size_t size = 0;
  int asked = 0;
#define FIT(x, y, rows, options) linkgistic_fit_regression(x, y, NULL, rows, options, NULL, NULL, &model)
  CHECK_FAILS(FIT(data->x, data->y, ROWS, "{\"harmonix\": 3}"), LINKGISTIC_USAGE_ERROR,
              "there is no option 'harmonix'; is harmonics meant?");
  CHECK(model == NULL);
  CHECK_FAILS(FIT(data->x, data->y, ROWS, "{\"harmonics\": -1}"), LINKGISTIC_USAGE_ERROR, "harmonics = -1");
  CHECK_FAILS(FIT(data->x, data->y, ROWS, "{\"harmonics\": \"many\"}"), LINKGISTIC_USAGE_ERROR,
              "harmonics = \"many\"");
  CHECK_FAILS(FIT(data->x, data->y, ROWS, "{\"prior\": \"flat\"}"), LINKGISTIC_USAGE_ERROR, "is not one of");
  CHECK_FAILS(FIT(data->x, data->y, ROWS, "{\"fixed\": 3}"), LINKGISTIC_USAGE_ERROR, "fixed = 3");
  CHECK_FAILS(FIT(data->x, data->y, ROWS, "{prior"), LINKGISTIC_USAGE_ERROR, "not JSON");
  CHECK_FAILS(FIT(data->x, data->y, ROWS, "[1]"), LINKGISTIC_USAGE_ERROR, "a JSON object");
  CHECK_FAILS(FIT(bad, data->y, 3, NULL), LINKGISTIC_INPUT_ERROR, "x");
  CHECK_FAILS(FIT(NULL, data->y, 3, NULL), LINKGISTIC_USAGE_ERROR, "x is NULL");
  CHECK_FAILS(FIT(data->x, NULL, 3, NULL), LINKGISTIC_USAGE_ERROR, "y is NULL");
  CHECK(FIT(NULL, NULL, 0, NULL) == LINKGISTIC_INPUT_ERROR);
#undef FIT
  CHECK_FAILS(linkgistic_fit_regression(data->x, data->y, NULL, ROWS, NULL, NULL, NULL, NULL),
              LINKGISTIC_USAGE_ERROR, "model is NULL");
  CHECK_FAILS(linkgistic_fit_classifier(data->features, (size_t)-1, 2, 0, NULL, data->label, NULL, 0, NULL,
                                        NULL, NULL, NULL, &model),
              LINKGISTIC_USAGE_ERROR, "no array has so many");
  CHECK_FAILS(linkgistic_load("there/is/none.json", &model), LINKGISTIC_INPUT_ERROR, "there/is/none.json");
  CHECK_FAILS(linkgistic_load(NULL, &model), LINKGISTIC_USAGE_ERROR, "path is NULL");
  CHECK_FAILS(linkgistic_from_json("{}", &model), LINKGISTIC_INPUT_ERROR, "not a linkgistic model");
  CHECK_FAILS(linkgistic_kind(NULL, NULL), LINKGISTIC_USAGE_ERROR, "is NULL");
  CHECK_FAILS(linkgistic_inputs(NULL, &size), LINKGISTIC_USAGE_ERROR, "model is NULL");
  CHECK_FAILS(linkgistic_to_json(NULL, &text), LINKGISTIC_USAGE_ERROR, "model is NULL");
  CHECK_FAILS(linkgistic_predict(NULL, data->x, 1, 1, 0, 0.9, NULL, NULL, NULL), LINKGISTIC_USAGE_ERROR,
              "model is NULL");
  linkgistic_free(NULL);
  linkgistic_free_text(NULL);

  /* A fit that is stopped at once has the best so far, or nothing. */
  const int status = linkgistic_fit_regression(data->x, data->y, NULL, ROWS, NULL, always, &asked, &model);
  CHECK(asked > 0);
  CHECK(status == LINKGISTIC_OK ? model != NULL : status == LINKGISTIC_OTHER_ERROR && model == NULL);
  linkgistic_free(model);
}

/* Each thread has its own last error. */
static void* fails_by_itself(void* path) {
  linkgistic_model* model = NULL;
  const int fresh = strcmp(linkgistic_last_error(), "") == 0;
  for (int i = 0; i < 200; ++i) {
    if (linkgistic_load(path, &model) != LINKGISTIC_INPUT_ERROR) return NULL;
    if (strstr(linkgistic_last_error(), path) == NULL) return NULL;
  }
  return fresh ? path : NULL;
}

static void test_threads(void) {
  char first[] = "none/first.json", second[] = "none/second.json";
  void* paths[2] = {first, second};
  pthread_t threads[2];
  for (int t = 0; t < 2; ++t) CHECK(pthread_create(&threads[t], NULL, fails_by_itself, paths[t]) == 0);
  for (int t = 0; t < 2; ++t) {
    void* result = NULL;
    CHECK(pthread_join(threads[t], &result) == 0);
    CHECK(result == paths[t]);
  }
  CHECK(strstr(linkgistic_last_error(), "none/") == NULL);
}

int main(void) {
  struct rows data;
  make_rows(&data);
  CHECK(linkgistic_c_api_version() == LINKGISTIC_C_API_VERSION);
  CHECK(strchr(linkgistic_version(), '.') != NULL);
  CHECK(strcmp(linkgistic_last_error(), "") == 0);
  test_regression(&data);
  test_responses(&data);
  test_calibrator(&data);
  test_class_calibrator(&data);
  test_classifier(&data);
  test_mistakes(&data);
  test_threads();
  if (failures == 0) printf("the C interface works, version %d\n", linkgistic_c_api_version());
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
