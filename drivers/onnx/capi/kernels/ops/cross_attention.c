/**
 * The operators of cross-attention with heads of 64: queries [R, L, W], already scaled; keys [A, H, 64, S]; values [A, H, S, 64]; bias [A, S], for A audio
 * segments with R / A consecutive rows each. Output [R, L, W]. WatchedCrossAttention64 also takes head numbers [h] and returns their weights [R, h, L, S].
 */
#include <stdlib.h>

#include "operator.h"
#include "operators.h"

enum { queries_input, keys_input, values_input, bias_input, heads_input };

/** The arguments of one run. */
typedef struct {
  const Kernels *kernels;
  const float *queries, *keys, *values, *bias;
  const int64_t *watched; /* [watched_count] */
  float *out, *weights;
  size_t sounds, rows, length, width, heads, positions, watched_count;
  int failed;
} Work;

/** The index of a head among the watched ones. @return watched_count where it is not watched */
static size_t place_of(const Work *work, size_t head) {
  size_t place = 0;
  while (place < work->watched_count && work->watched[place] != (int64_t)head) place++;
  return place;
}

/** A batch is padded to its longest segment: the padding behind a shorter one is not read. */
static size_t seen_of(const Work *work, size_t sound) {
  enum { hidden = -10000 }; /* exp of this is 0 in float */
  const float *bias = work->bias + sound * work->positions;
  size_t seen = work->positions;
  while (seen > 1 && bias[seen - 1] <= hidden) seen--;
  return seen;
}

static void attend_head(void *of, size_t i) {
  Work *work = of;
  size_t sound = i / work->heads, head = i % work->heads, beams = work->rows / work->sounds;
  size_t area = head_size * work->positions, place = place_of(work, head), weights = work->length * work->positions;
  size_t row = sound * beams, at = row * work->length * work->width + head * head_size;
  CrossAttentionArgs args = {
      .queries = work->queries + at,
      .count = beams * work->length,
      .stride = work->width,
      .keys = work->keys + i * area,
      .values = work->values + i * area,
      .bias = work->bias + sound * work->positions,
      .positions = work->positions,
      .seen = seen_of(work, sound),
      .out = work->out + at,
      .weights = place < work->watched_count ? work->weights + (row * work->watched_count + place) * weights : NULL,
      .length = work->length,
      .row_weights = work->watched_count * weights,
  };
  if (work->kernels->cross_attention(&args)) __atomic_store_n(&work->failed, 1, __ATOMIC_RELAXED);
}

/** Valid heads without duplicates: otherwise part of the output would stay uninitialized. */
static int are_heads(const Work *work) {
  for (size_t i = 0; i < work->watched_count; i++)
    if (work->watched[i] < 0 || (size_t)work->watched[i] >= work->heads || place_of(work, (size_t)work->watched[i]) != i) return 0;
  return 1;
}

static int is_watched(const Operator *node) { return node->kind; }

static int fits_together(const Work *work, const Shape *queries, const Shape *keys, const Shape *values, const Shape *bias) {
  return queries->rank == 3 && keys->rank == 4 && values->rank == 4 && bias->rank == 2 && work->sounds > 0 && work->rows % work->sounds == 0 && work->positions > 0 &&
         work->width == work->heads * head_size && keys->dims[2] == head_size && values->dims[3] == head_size && values->dims[0] == keys->dims[0] &&
         values->dims[1] == keys->dims[1] && values->dims[2] == keys->dims[3] && bias->dims[0] == keys->dims[0] && bias->dims[1] == keys->dims[3] && are_heads(work);
}

static OrtFailure *read_inputs(const Operator *node, const Ort *context, Work *work, Shape *queries) {
  Runtime *runtime = node->runtime;
  Shape keys, values, bias, watched = {0};
  work->queries = input_of(runtime, context, queries_input, queries);
  work->keys = input_of(runtime, context, keys_input, &keys);
  work->values = input_of(runtime, context, values_input, &values);
  work->bias = input_of(runtime, context, bias_input, &bias);
  if (is_watched(node)) work->watched = input_of(runtime, context, heads_input, &watched);
  if (!work->queries || !work->keys || !work->values || !work->bias || (is_watched(node) && !work->watched)) return refuse_with_last_error(runtime);
  work->rows = (size_t)queries->dims[0];
  work->length = (size_t)queries->dims[1];
  work->width = (size_t)queries->dims[2];
  work->sounds = (size_t)keys.dims[0];
  work->heads = (size_t)keys.dims[1];
  work->positions = (size_t)keys.dims[3];
  work->watched_count = watched.rank == 1 ? (size_t)watched.dims[0] : 0;
  return fits_together(work, queries, &keys, &values, &bias) ? NULL : refuse(runtime, "cross-attention was given queries, keys, values and a bias that do not fit together");
}

static OrtFailure *compute(void *kernel, Ort *context) {
  const Operator *node = kernel;
  Runtime *runtime = node->runtime;
  Work work = {.kernels = node->kernels};
  Shape queries = {0};
  OrtFailure *failure = read_inputs(node, context, &work, &queries);
  if (failure) return failure;
  work.out = output_of(runtime, context, 0, &queries);
  if (!work.out) return refuse_with_last_error(runtime);
  if (is_watched(node)) {
    Shape weights = {.rank = 4, .dims = {(int64_t)work.rows, (int64_t)work.watched_count, (int64_t)work.length, (int64_t)work.positions}};
    work.weights = output_of(runtime, context, 1, &weights);
    if (!work.weights) return refuse_with_last_error(runtime);
  }
  if (in_parallel(runtime, context, attend_head, work.sounds * work.heads, &work)) return refuse_with_last_error(runtime);
  return work.failed ? refuse(runtime, "out of memory") : NULL;
}

int add_cross_attention(Runtime *runtime, Ort *domain, const Kernels *kernels) {
  static const int types[] = {ort_type_float, ort_type_float, ort_type_float, ort_type_float, ort_type_int64};
  Operator *operators = calloc(2, sizeof *operators); /* never freed: sessions keep pointers to them */
  if (!operators) return fail("out of memory");
  operators[0] = (Operator){.name = "CrossAttention64", .types = types, .inputs = 4, .outputs = 1, .kernels = kernels, .compute = compute};
  operators[1] = (Operator){.name = "WatchedCrossAttention64", .kind = 1, .types = types, .inputs = 5, .outputs = 2, .kernels = kernels, .compute = compute};
  return add_operator(runtime, domain, &operators[0]) || add_operator(runtime, domain, &operators[1]) ? -1 : 0;
}
