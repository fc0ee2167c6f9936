#include "operator.h"

static const Operator *operator_of(const CustomOp *op) { return (const Operator *)op; }

static const char *name_of(const CustomOp *op) { return operator_of(op)->name; }
static const char *on_cpu(const CustomOp *op) { return (void)op, NULL; }
static int input_type(const CustomOp *op, size_t i) { return operator_of(op)->types[i]; }
static size_t input_count(const CustomOp *op) { return operator_of(op)->inputs; }
static int output_type(const CustomOp *op, size_t i) { return operator_of(op)->output_types ? operator_of(op)->output_types[i] : ort_type_float; }
static size_t output_count(const CustomOp *op) { return operator_of(op)->outputs; }
static int plain(const CustomOp *op, size_t i) { return (void)op, (void)i, 0; } /* every input and output is required and in the CPU's memory */
static int one(const CustomOp *op) { return (void)op, 1; }

static OrtFailure *create_plain(const CustomOp *op, void *const *api, const Ort *info, void **kernel) {
  (void)api, (void)info;
  *kernel = (void *)op;
  return NULL;
}

static void destroy_plain(void *kernel) { (void)kernel; }

int add_operator(Runtime *runtime, Ort *domain, Operator *kept) {
  kept->runtime = runtime;
  kept->op = (CustomOp){
      .version = ORT_API_VERSION_WANTED,
      .name = name_of,
      .provider = on_cpu,
      .input_type = input_type,
      .input_count = input_count,
      .output_type = output_type,
      .output_count = output_count,
      .destroy_kernel = kept->create ? kept->destroy : destroy_plain,
      .input_characteristic = plain,
      .output_characteristic = plain,
      .input_memory = plain,
      .variadic_inputs_min = one,
      .variadic_inputs_alike = one,
      .variadic_outputs_min = one,
      .variadic_outputs_alike = one,
      .create_kernel = kept->create ? kept->create : create_plain,
      .compute = kept->compute,
      .first_version = one,
      .last_version = one,
  };
  return check(runtime, API(runtime, ort_add_to_domain, Ort *, const CustomOp *)(domain, &kept->op));
}

OrtFailure *refuse(Runtime *runtime, const char *why) {
  return ((OrtFailure * (*)(int, const char *)) runtime->api[ort_create_status])(ort_failed, why);
}

OrtFailure *refuse_with_last_error(Runtime *runtime) { return refuse(runtime, earshot_ort_error()); }

static int read_shape(Runtime *runtime, const Ort *value, Shape *shape) {
  Ort *info = NULL;
  size_t rank = 0;
  shape->rank = -1;
  if (check(runtime, API(runtime, ort_tensor_type_and_shape, const Ort *, Ort **)(value, &info))) return -1;
  int failed = check(runtime, API(runtime, ort_dimensions_count, Ort *, size_t *)(info, &rank)) || (rank > rank_max && fail("a tensor of %zu dimensions", rank)) ||
               check(runtime, API(runtime, ort_dimensions, Ort *, int64_t *, size_t)(info, shape->dims, rank));
  RELEASE(runtime, ort_release_tensor_info, info);
  if (failed) return -1;
  shape->rank = (int)rank;
  return 0;
}

/** ONNX Runtime returns an address even for a tensor without elements; it is never read. */
static void *data_of(Runtime *runtime, const Ort *value) {
  static float nothing;
  void *data = NULL;
  if (check(runtime, API(runtime, ort_tensor_data, const Ort *, void **)(value, &data))) return NULL;
  return data ? data : &nothing;
}

const void *constant_input(Runtime *runtime, const Ort *info, size_t input, Shape *shape) {
  int is_constant = 0;
  const Ort *value = NULL;
  if (check(runtime, API(runtime, ort_constant_input, const Ort *, size_t, int *, const Ort **)(info, input, &is_constant, &value))) return NULL;
  if (!is_constant || read_shape(runtime, value, shape)) return NULL;
  return data_of(runtime, value);
}

const void *input_of(Runtime *runtime, const Ort *context, size_t input, Shape *shape) {
  const Ort *value = NULL;
  if (check(runtime, API(runtime, ort_kernel_input, const Ort *, size_t, const Ort **)(context, input, &value)) || read_shape(runtime, value, shape)) return NULL;
  return data_of(runtime, value);
}

void *output_of(Runtime *runtime, Ort *context, size_t output, const Shape *shape) {
  Ort *value = NULL;
  if (check(runtime, API(runtime, ort_kernel_output, Ort *, size_t, const int64_t *, size_t, Ort **)(context, output, shape->dims, (size_t)shape->rank, &value))) return NULL;
  return data_of(runtime, value);
}

int in_parallel(Runtime *runtime, const Ort *context, void (*part)(void *work, size_t i), size_t parts, void *work) {
  if (parts == 0) return 0;
  return check(runtime, API(runtime, ort_parallel_for, const Ort *, void (*)(void *, size_t), size_t, size_t, void *)(context, part, parts, 0, work));
}
