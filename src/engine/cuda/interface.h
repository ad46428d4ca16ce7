/* What liblinkgistic_cuda.so offers: the verbs of the row engine on an NVIDIA GPU, in plain C, so that the library can
   be built by another compiler and loaded when it is asked for. Arrays are the caller's and lie in host memory. Each
   function that returns int returns 0, or else leaves a message where `error` or lg_cuda_open points. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever anything below changes. */
#define LG_CUDA_VERSION 2

typedef struct lg_cuda_engine lg_cuda_engine;

enum { LG_CUDA_BYTES = 0, LG_CUDA_FLOATS = 1, LG_CUDA_SPARSE = 2 };

/* Labelled rows, copied to the GPU once. */
typedef struct lg_cuda_rows {
  uint64_t rows, columns, entries;
  int32_t storage;
  /* Dense rows: writes rows first .. first + count - 1 one after the other, bytes or floats. */
  void (*read)(void* context, uint64_t first, uint64_t count, void* to);
  void* context;
  /* Sparse rows. */
  const int64_t* row_start; /* (rows + 1) */
  const int32_t* column;    /* (entries) */
  const float* value;       /* (entries) */
  const int32_t* labels;    /* (rows) */
  const float* weights;     /* (rows), or null: every row counts once */
  /* The parts of a cross-validation: bit p of a row's words says whether part p learns from it, or holds it out. */
  uint64_t words;
  const uint64_t* train;    /* (rows, words), or null: there are none */
  const uint64_t* held_out; /* (rows, words) */
} lg_cuda_rows;

/* A loss of either label, or a link: cubics on a grid (numeric/loss_table.hpp). Tables with one id are equal. */
typedef struct lg_cuda_table {
  uint64_t id;
  const float* packed;  /* (2, cells, 4) */
  const double* exact;  /* (2, cells, 4) */
  double step;
  int32_t cells, first_cell;
} lg_cuda_table;

typedef struct lg_cuda_problem {
  int32_t label, table, rows, part; /* `rows` and `part` are those of a Selection */
} lg_cuda_problem;

typedef struct lg_cuda_scores {
  const lg_cuda_table* tables;
  uint32_t table_count;
  const lg_cuda_problem* problems;
  uint32_t problem_count;
  uint32_t coupled;
  const double* beta; /* (problems, columns + 1), intercept first */
} lg_cuda_scores;

typedef struct lg_cuda_scale {
  const double* shift; /* (columns), or null: 0 */
  const double* scale; /* (columns), or null: 1 */
} lg_cuda_scale;

/* Functions of a score, straight between nodes and constant beyond them. */
typedef struct lg_cuda_functions {
  double lower, step;
  uint32_t count, nodes;
  const double* values; /* (nodes, count) */
} lg_cuda_functions;

typedef struct lg_cuda_pass_answer {
  double *loss, *residual_size, *lower, *upper, *least_signed; /* (problems) */
  double* gradient;                                            /* (problems, columns + 1) */
} lg_cuda_pass_answer;

typedef struct lg_cuda_api {
  uint32_t version;
  /* One line for each GPU, or why there is none. */
  int (*describe)(char* text, size_t size);
  int (*open)(int32_t device, const lg_cuda_rows* rows, lg_cuda_engine** engine, char* error, size_t size);
  void (*close)(lg_cuda_engine* engine);
  const char* (*error)(const lg_cuda_engine* engine);

  int (*pass)(lg_cuda_engine*, const lg_cuda_scores*, const lg_cuda_pass_answer* answer);
  /* beta and ends are those of `scores`, one after the other: 2 problem_count of them. */
  int (*line)(lg_cuda_engine*, const lg_cuda_scores* scores, const double* steps, uint32_t per_set, double* value,
              double* slope);
  /* `bad_row` is a row whose score is not finite, or UINT64_MAX. */
  int (*range)(lg_cuda_engine*, const lg_cuda_scores*, const uint32_t* group, uint32_t groups, double* lower,
               double* upper, uint64_t* bad_row);
  /* moments: (groups, cells, kinds, 4). */
  int (*cells)(lg_cuda_engine*, const lg_cuda_scores*, const uint32_t* group, uint32_t groups, const double* lower,
               const double* upper, uint32_t cells, double* moments, double* loss);
  int (*curvature)(lg_cuda_engine*, const lg_cuda_scores*, double* sum);
  int (*held_out)(lg_cuda_engine*, const lg_cuda_scores*, const uint32_t* candidate, uint32_t candidates,
                  double most_loss, double* loss, double* squared_difference, double* weight);
  /* `sample` draws rows, `sample_product` then sums weight z z' over them, z = (1, features): (columns + 1,
     columns + 1), element (i, j), i <= j, at j (columns + 1) + i, and 0 elsewhere. */
  int (*sample)(lg_cuda_engine*, const lg_cuda_scores*, uint32_t direction, double share, uint64_t seed,
                uint64_t* rows);
  int (*sample_product)(lg_cuda_engine*, const lg_cuda_scale*, float* product);
  /* Sums of outer products (size, size), element (i, j), i <= j, at i size + j. */
  int (*gram)(lg_cuda_engine*, const lg_cuda_scores*, uint32_t direction, const lg_cuda_scale*, double* sum);
  int (*information)(lg_cuda_engine*, const lg_cuda_scores*, const lg_cuda_scale*,
                     const lg_cuda_functions* functions /* (2) */, double* sum);
  int (*overlap)(lg_cuda_engine*, const lg_cuda_scores*, const uint32_t* group, uint32_t groups,
                 const lg_cuda_functions* functions /* (groups) */, double* sum);
  /* weight: (selections, labels), a selection given as two numbers; moments about the pivot unless it is null. */
  int (*summary)(lg_cuda_engine*, const lg_cuda_problem* selections, uint32_t selection_count, uint32_t labels,
                 const double* pivot, double* weight, double* first, double* second, double* greatest);
} lg_cuda_api;

/* Null unless `version` is that of the library. */
const lg_cuda_api* linkgistic_cuda(uint32_t version);

#ifdef __cplusplus
}
#endif
