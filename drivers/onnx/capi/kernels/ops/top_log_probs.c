/**
 * The operator of a decoder's last layer: log-probabilities over a vocabulary, of which only the highest and some that are asked for are kept (token_scores.h).
 *
 * Inputs: those of a layer (layer.h), token bias [N], extra ids [R, M, E] in 32 bits; x is [R, M, K].
 * Outputs: log-softmax(scores + token bias), the 16 highest [R, M, 16] and their ids; scores of the extra ids on the same scale, without their bias [R, M, E].
 */
#include <stdlib.h>

#include "operators.h"
#include "token_scores.h"

enum { token_bias_input = layer_inputs, extra_ids_input, input_count };
enum { top_output, ids_output, extra_output, output_count };
/** Each part finds its own highest scores, so there are few. */
enum { parts_max = 16 };

/** The state of one node. */
typedef struct {
  Runtime *runtime;
  NodeLayer layer;
  CoarseLayer coarse;
  const SoftmaxKernel *softmax;
} TopLogProbs;

static void destroy(void *kernel) {
  TopLogProbs *node = kernel;
  if (!node) return;
  release_layer(&node->layer);
  free(node->coarse.packed);
  free(node);
}

static OrtFailure *create(const CustomOp *op, void *const *api, const Ort *info, void **kernel) {
  (void)api;
  const Operator *of = (const Operator *)op;
  Shape ignored;
  TopLogProbs *node = calloc(1, sizeof *node);
  if (!node) return refuse(of->runtime, "out of memory");
  *node = (TopLogProbs){.runtime = of->runtime, .layer = {.kernel = of->kernels->linear}, .softmax = of->kernels->softmax_sum};
  OrtFailure *failure = read_layer(of->runtime, info, &node->layer);
  if (!failure && pack_layer(&node->coarse, of->kernels->coarse_linear, constant_input(of->runtime, info, layer_weights_input, &ignored), node->layer.panels, node->layer.layer.k))
    failure = refuse(of->runtime, "out of memory");
  if (failure) destroy(node);
  else *kernel = node;
  return failure;
}

static OrtFailure *read_all_inputs(const TopLogProbs *node, Ort *context, TokenScores *work, Shape *x) {
  Runtime *runtime = node->runtime;
  Shape bias, ids;
  OrtFailure *failure = read_inputs(runtime, context, &node->layer, &work->run, x);
  if (failure) return failure;
  work->token_bias = input_of(runtime, context, token_bias_input, &bias);
  work->extra_ids = input_of(runtime, context, extra_ids_input, &ids);
  if (!work->token_bias || !work->extra_ids) return refuse_with_last_error(runtime);
  if (bias.rank != 1 || (size_t)bias.dims[0] != work->run.layer.n) return refuse(runtime, "the bias of a vocabulary has another size than its scores");
  if (x->rank != 3 || ids.rank != 3 || ids.dims[0] != x->dims[0] || ids.dims[1] != x->dims[1]) return refuse(runtime, "extra ids need as many rows as there are to score");
  work->extras = (size_t)ids.dims[2];
  return NULL;
}

static OrtFailure *allocate(const TopLogProbs *node, TokenScores *work) {
  const size_t rows = work->run.rows, n = work->run.layer.n;
  work->blocks = (n + block_outputs - 1) / block_outputs;
  work->parts = work->blocks == 0 ? 1 : work->blocks < parts_max ? work->blocks : parts_max;
  if (node->coarse.packed) work->coarse = (CoarseRun){.coarse = &node->coarse, .layer = &work->run.layer, .rows = rows};
  work->wanted = malloc((rows * work->extras + work->blocks + 1) * sizeof *work->wanted);
  work->wanted_from = work->wanted + rows * work->extras;
  work->found = malloc(work->parts * rows * sizeof *work->found + 1);
  work->scores = malloc(rows * (is_coarse(work) ? n + work->blocks + 1 : work->parts * block_outputs) * sizeof *work->scores + 1);
  if (is_coarse(work)) work->peaks = work->scores + rows * n, work->thresholds = work->peaks + rows * work->blocks;
  return work->wanted && work->found && work->scores ? NULL : refuse(node->runtime, "out of memory");
}

static OrtFailure *make_outputs(Runtime *runtime, Ort *context, TokenScores *work, Shape shape) {
  shape.dims[2] = top_count;
  work->top = output_of(runtime, context, top_output, &shape);
  work->ids = output_of(runtime, context, ids_output, &shape);
  shape.dims[2] = (int64_t)work->extras;
  work->extra = output_of(runtime, context, extra_output, &shape);
  return work->top && work->ids && work->extra ? NULL : refuse_with_last_error(runtime);
}

static OrtFailure *score(Runtime *runtime, Ort *context, TokenScores *work) {
  const size_t rows = work->run.rows;
  int failed;
  if (is_coarse(work)) {
    if (quantize_coarsely(&work->coarse, work->run.x)) return refuse(runtime, "out of memory");
    failed = in_parallel(runtime, context, score_part_coarsely, work->parts, work) || in_parallel(runtime, context, choose_threshold, rows, work) || in_parallel(runtime, context, refine_part, work->parts, work);
  } else {
    OrtFailure *failure = quantize_input(runtime, context, &work->run);
    if (failure) return failure;
    failed = in_parallel(runtime, context, score_part, work->parts, work);
  }
  return failed || in_parallel(runtime, context, finish_row, rows, work) ? refuse_with_last_error(runtime) : NULL;
}

static OrtFailure *run_node(const TopLogProbs *node, Ort *context, TokenScores *work) {
  Runtime *runtime = node->runtime;
  Shape x;
  OrtFailure *failure = read_all_inputs(node, context, work, &x);
  if (!failure) failure = allocate(node, work);
  if (!failure) failure = make_outputs(runtime, context, work, x);
  if (failure || work->run.rows == 0) return failure;
  return order_extra_ids(work) ? score(runtime, context, work) : refuse(runtime, "an extra id is no token of the vocabulary");
}

static OrtFailure *compute(void *kernel, Ort *context) {
  const TopLogProbs *node = kernel;
  TokenScores work = {.softmax = node->softmax};
  OrtFailure *failure = run_node(node, context, &work);
  free(work.run.units);
  free(work.coarse.units);
  free(work.wanted);
  free(work.found);
  free(work.scores);
  return failure;
}

int add_top_log_probs(Runtime *runtime, Ort *domain, const Kernels *kernels) {
  static const int types[input_count] = {ort_type_float, ort_type_int8, ort_type_float, ort_type_float, ort_type_float, ort_type_int32};
  static const int output_types[output_count] = {ort_type_float, ort_type_int32, ort_type_float};
  Operator *kept = calloc(1, sizeof *kept); /* never freed: sessions keep a pointer to it */
  if (!kept) return fail("out of memory");
  *kept = (Operator){.name = "TopLogProbs16", .inputs = input_count, .types = types, .outputs = output_count, .output_types = output_types, .kernels = kernels, .create = create, .compute = compute, .destroy = destroy};
  return add_operator(runtime, domain, kept);
}
