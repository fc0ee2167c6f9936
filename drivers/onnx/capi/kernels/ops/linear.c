/** The operator of a linear layer of 8-bit weights: inputs x [..., K], weights [N / 64, K / 4, 64, 4] in 8 bits, scales [N], bias [N]; output [..., N]. */
#include <stdlib.h>
#include <string.h>

#include "operator.h"
#include "operators.h"

enum { x_input, weights_input, scales_input, bias_input, input_count };
enum { rows_at_once = 16, inputs_max = 65536 };

/** The state of one node. */
typedef struct {
  Runtime *runtime;
  const LinearKernel *kernel;
  Layer layer; /* weights, scales and bias are filled in at each run */
  size_t panels;
  int32_t *sums;
} Linear;

/** The arguments of one run. */
typedef struct {
  const LinearKernel *kernel;
  Layer layer;
  const float *x;
  uint8_t *codes;
  float *units;
  size_t rows;
  float *y;
} Work;

/** The sum of four weights that were read as one number. */
static inline int32_t sum_of_group(uint32_t group) {
  return (int8_t)group + (int8_t)(group >> 8) + (int8_t)(group >> 16) + (int8_t)(group >> 24);
}

/** Weights [panels, K / 4, 64, 4] -> the sum of each output's weights [panels * 64]. A start reads some 80 MB here, so it takes a group at a time, which gcc makes vectors of. */
static void sum_weights(const int8_t *weights, size_t panels, size_t k, int32_t *sums) {
  uint32_t groups[panel_outputs];
  memset(sums, 0, panels * panel_outputs * sizeof *sums);
  for (size_t panel = 0; panel < panels; panel++, sums += panel_outputs)
    for (size_t group = 0; group < k / group_inputs; group++, weights += sizeof groups) {
      memcpy(groups, weights, sizeof groups);
      for (size_t output = 0; output < panel_outputs; output++) sums[output] += sum_of_group(groups[output]);
    }
}

static void destroy(void *kernel) {
  Linear *linear = kernel;
  if (!linear) return;
  free(linear->sums);
  free(linear);
}

/** The layer's sizes come from the shapes of its constants, all of which are checked before the first run. */
static OrtFailure *read_layer(Linear *linear, const Ort *info) {
  Runtime *runtime = linear->runtime;
  Shape weights, scales, bias;
  const int8_t *values = constant_input(runtime, info, weights_input, &weights);
  if (!values || weights.rank != 4 || weights.dims[2] != panel_outputs || weights.dims[3] != group_inputs)
    return refuse(runtime, "the weights of a layer are no constant of [N / 64, K / 4, 64, 4]");
  if (!constant_input(runtime, info, scales_input, &scales) || !constant_input(runtime, info, bias_input, &bias) || scales.rank != 1 || bias.rank != 1 ||
      scales.dims[0] != bias.dims[0] || (scales.dims[0] + panel_outputs - 1) / panel_outputs != weights.dims[0])
    return refuse(runtime, "a layer needs a scale and a bias for each output, both constant");
  linear->panels = (size_t)weights.dims[0];
  linear->layer.n = (size_t)scales.dims[0];
  linear->layer.k = (size_t)weights.dims[1] * group_inputs;
  if (linear->layer.k > inputs_max) return refuse(runtime, "a layer of more than 65536 inputs: its sums would not fit in 32 bits");
  linear->sums = malloc(linear->panels * panel_outputs * sizeof *linear->sums + 1);
  if (!linear->sums) return refuse(runtime, "out of memory");
  sum_weights(values, linear->panels, linear->layer.k, linear->sums);
  linear->layer.sums = linear->sums;
  return NULL;
}

/** What differs between the kinds of layer. */
enum { after_gelu = 1, ends_in_gelu = 2 };

static OrtFailure *create(const CustomOp *op, void *const *api, const Ort *info, void **kernel) {
  (void)api;
  const Operator *of = (const Operator *)op;
  Linear *linear = calloc(1, sizeof *linear);
  if (!linear) return refuse(of->runtime, "out of memory");
  linear->runtime = of->runtime;
  linear->kernel = of->kernels->linear;
  linear->layer.after_gelu = of->kind & after_gelu;
  linear->layer.ends_in_gelu = of->kind & ends_in_gelu;
  OrtFailure *failure = read_layer(linear, info);
  if (failure) destroy(linear);
  else *kernel = linear;
  return failure;
}

static void quantize_rows(void *of, size_t block) {
  Work *work = of;
  size_t k = work->layer.k, bytes = work->kernel->row_bytes(k);
  size_t end = (block + 1) * rows_at_once < work->rows ? (block + 1) * rows_at_once : work->rows;
  for (size_t row = block * rows_at_once; row < end; row++) work->kernel->quantize_row(work->x + row * k, k, work->layer.after_gelu, work->codes + row * bytes, work->units + row);
}

static void multiply(void *of, size_t panel) {
  Work *work = of;
  work->kernel->multiply_panel(&work->layer, panel, work->codes, work->units, work->rows, work->y);
}

static OrtFailure *compute(void *kernel, Ort *context) {
  const Linear *linear = kernel;
  Runtime *runtime = linear->runtime;
  Work work = {.kernel = linear->kernel, .layer = linear->layer, .rows = 1};
  Shape shape, ignored;
  work.x = input_of(runtime, context, x_input, &shape);
  work.layer.weights = input_of(runtime, context, weights_input, &ignored);
  work.layer.scales = input_of(runtime, context, scales_input, &ignored);
  work.layer.bias = input_of(runtime, context, bias_input, &ignored);
  if (!work.x || !work.layer.weights || !work.layer.scales || !work.layer.bias) return refuse_with_last_error(runtime);
  if (shape.rank < 1 || (size_t)shape.dims[shape.rank - 1] != work.layer.k) return refuse(runtime, "a layer was given an input of another width");
  for (int i = 0; i < shape.rank - 1; i++) work.rows *= (size_t)shape.dims[i];
  shape.dims[shape.rank - 1] = (int64_t)work.layer.n;
  work.y = output_of(runtime, context, 0, &shape);
  if (!work.y) return refuse_with_last_error(runtime);

  work.units = malloc(work.rows * (sizeof *work.units + work.kernel->row_bytes(work.layer.k)) + 1);
  if (!work.units) return refuse(runtime, "out of memory");
  work.codes = (uint8_t *)(work.units + work.rows);
  int failed = in_parallel(runtime, context, quantize_rows, (work.rows + rows_at_once - 1) / rows_at_once, &work) ||
               in_parallel(runtime, context, multiply, work.rows > 0 ? linear->panels : 0, &work);
  free(work.units);
  return failed ? refuse_with_last_error(runtime) : NULL;
}

int add_linear(Runtime *runtime, Ort *domain, const Kernels *kernels) {
  static const struct {
    const char *name;
    int kind;
  } kinds[] = {{"Linear", 0}, {"LinearGelu", ends_in_gelu}, {"GeluLinear", after_gelu}, {"GeluLinearGelu", after_gelu | ends_in_gelu}};
  enum { kind_count = sizeof kinds / sizeof *kinds };
  static const int types[input_count] = {ort_type_float, ort_type_int8, ort_type_float, ort_type_float};
  Operator *operators = calloc(kind_count, sizeof *operators); /* never freed: sessions keep pointers to them */
  if (!operators) return fail("out of memory");
  for (size_t i = 0; i < kind_count; i++) {
    operators[i] = (Operator){
        .name = kinds[i].name, .kind = kinds[i].kind, .inputs = input_count, .types = types, .outputs = 1, .kernels = kernels, .create = create, .compute = compute, .destroy = destroy};
    if (add_operator(runtime, domain, &operators[i])) return -1;
  }
  return 0;
}
