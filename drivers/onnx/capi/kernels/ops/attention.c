/** The operator of full attention with heads of 64: queries [A, T, W], keys and values [A, S, W], W a multiple of 64; output [A, T, W]. */
#include <stdlib.h>

#include "operator.h"
#include "operators.h"

enum { queries_input, keys_input, values_input, input_count };

typedef struct {
  const Kernels *kernels;
  AttentionArgs first;
  size_t heads; /* per element of the batch */
  int failed;
} Work;

static void attend_head(void *of, size_t i) {
  Work *work = of;
  AttentionArgs head = work->first;
  size_t batch = i / work->heads, column = i % work->heads * head_size;
  head.queries += batch * head.query_count * head.stride + column;
  head.keys += batch * head.key_count * head.stride + column;
  head.values += batch * head.key_count * head.stride + column;
  head.out += batch * head.query_count * head.stride + column;
  if (work->kernels->attention(&head)) __atomic_store_n(&work->failed, 1, __ATOMIC_RELAXED);
}

static int is_same(const Shape *one, const Shape *other) { return other->rank == 3 && one->dims[0] == other->dims[0] && one->dims[2] == other->dims[2]; }

static OrtFailure *compute(void *kernel, Ort *context) {
  const Operator *operator= kernel;
  Runtime *runtime = operator->runtime;
  Work work = {.kernels = operator->kernels};
  Shape queries, keys, values;
  work.first.queries = input_of(runtime, context, queries_input, &queries);
  work.first.keys = input_of(runtime, context, keys_input, &keys);
  work.first.values = input_of(runtime, context, values_input, &values);
  if (!work.first.queries || !work.first.keys || !work.first.values) return refuse_with_last_error(runtime);
  if (queries.rank != 3 || !is_same(&queries, &keys) || !is_same(&queries, &values) || keys.dims[1] != values.dims[1] || keys.dims[1] == 0 || queries.dims[2] % head_size != 0)
    return refuse(runtime, "attention was given queries, keys and values that do not fit together");
  work.first.query_count = (size_t)queries.dims[1];
  work.first.key_count = (size_t)keys.dims[1];
  work.first.stride = (size_t)queries.dims[2];
  work.heads = work.first.stride / head_size;
  work.first.out = output_of(runtime, context, 0, &queries);
  if (!work.first.out || in_parallel(runtime, context, attend_head, (size_t)queries.dims[0] * work.heads, &work)) return refuse_with_last_error(runtime);
  return work.failed ? refuse(runtime, "out of memory") : NULL;
}

int add_attention(Runtime *runtime, Ort *domain, const Kernels *kernels) {
  static const int types[input_count] = {ort_type_float, ort_type_float, ort_type_float};
  Operator *attention = malloc(sizeof *attention); /* never freed: sessions keep a pointer to it */
  if (!attention) return fail("out of memory");
  *attention = (Operator){.name = "Attention64", .inputs = input_count, .types = types, .outputs = 1, .kernels = kernels, .compute = compute};
  return add_operator(runtime, domain, attention);
}
