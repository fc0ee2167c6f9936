/**
 * The operator of a decoder's causal self-attention with heads of 64. Inputs: queries, keys and values side by side [R, L, 3 W]; past keys and values
 * [Rp, H, P, 64]; each row's parent among them [R]. Outputs: [R, L, W]; present keys and values [R, H, P + L, 64].
 */
#include <stdlib.h>

#include "operator.h"
#include "operators.h"

enum { side_input, keys_input, values_input, parents_input, input_count };
enum { attended_output, keys_output, values_output, output_count };

/** The arguments of one run. */
typedef struct {
  const Kernels *kernels;
  const float *side, *keys, *values;
  const int32_t *parents;
  float *out, *present_keys, *present_values;
  size_t rows, length, heads, past;
  int failed;
} Work;

static void attend_head(void *of, size_t i) {
  Work *work = of;
  size_t row = i / work->heads, head = i % work->heads, width = work->heads * head_size;
  size_t parent = ((size_t)work->parents[row] * work->heads + head) * work->past * head_size;
  size_t present = i * (work->past + work->length) * head_size;
  const float *side = work->side + row * work->length * 3 * width + head * head_size;
  SelfAttentionArgs args = {
      .queries = side,
      .keys = side + width,
      .values = side + 2 * width,
      .count = work->length,
      .stride = 3 * width,
      .past_keys = work->keys + parent,
      .past_values = work->values + parent,
      .past = work->past,
      .present_keys = work->present_keys + present,
      .present_values = work->present_values + present,
      .out = work->out + row * work->length * width + head * head_size,
      .out_stride = width,
  };
  if (work->kernels->self_attention(&args)) __atomic_store_n(&work->failed, 1, __ATOMIC_RELAXED);
}

static int fits_together(const Work *work, const Shape *side, const Shape *keys, const Shape *values, const Shape *parents) {
  if (side->rank != 3 || keys->rank != 4 || values->rank != 4 || parents->rank != 1) return 0;
  for (int i = 0; i < keys->rank; i++)
    if (keys->dims[i] != values->dims[i]) return 0;
  if (keys->dims[3] != head_size || side->dims[2] != 3 * head_size * keys->dims[1] || parents->dims[0] != side->dims[0]) return 0;
  for (size_t row = 0; row < work->rows; row++)
    if (work->parents[row] < 0 || work->parents[row] >= keys->dims[0]) return 0;
  return 1;
}

static OrtFailure *compute(void *kernel, Ort *context) {
  const Operator *operator= kernel;
  Runtime *runtime = operator->runtime;
  Work work = {.kernels = operator->kernels};
  Shape side, keys, values, parents;
  work.side = input_of(runtime, context, side_input, &side);
  work.keys = input_of(runtime, context, keys_input, &keys);
  work.values = input_of(runtime, context, values_input, &values);
  work.parents = input_of(runtime, context, parents_input, &parents);
  if (!work.side || !work.keys || !work.values || !work.parents) return refuse_with_last_error(runtime);
  work.rows = (size_t)side.dims[0];
  if (!fits_together(&work, &side, &keys, &values, &parents)) return refuse(runtime, "attention was given rows, a past and parents that do not fit together");
  work.length = (size_t)side.dims[1];
  work.heads = (size_t)keys.dims[1];
  work.past = (size_t)keys.dims[2];
  Shape attended = {.rank = 3, .dims = {side.dims[0], side.dims[1], side.dims[2] / 3}};
  Shape present = {.rank = 4, .dims = {side.dims[0], keys.dims[1], keys.dims[2] + side.dims[1], head_size}};
  work.out = output_of(runtime, context, attended_output, &attended);
  work.present_keys = output_of(runtime, context, keys_output, &present);
  work.present_values = output_of(runtime, context, values_output, &present);
  if (!work.out || !work.present_keys || !work.present_values || in_parallel(runtime, context, attend_head, work.rows * work.heads, &work)) return refuse_with_last_error(runtime);
  return work.failed ? refuse(runtime, "out of memory") : NULL;
}

int add_self_attention(Runtime *runtime, Ort *domain, const Kernels *kernels) {
  static const int types[input_count] = {ort_type_float, ort_type_float, ort_type_float, ort_type_int32};
  Operator *attention = malloc(sizeof *attention); /* never freed: sessions keep a pointer to it */
  if (!attention) return fail("out of memory");
  *attention = (Operator){.name = "SelfAttention64", .inputs = input_count, .types = types, .outputs = output_count, .kernels = kernels, .compute = compute};
  return add_operator(runtime, domain, attention);
}
