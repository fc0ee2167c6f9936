/** The operator of a linear layer of 8-bit weights (layer.h): output [..., N]. */
#include <stdlib.h>

#include "layer.h"
#include "operators.h"

/** The state of one node. */
typedef struct {
  Runtime *runtime;
  NodeLayer layer;
} Linear;

/** The arguments of one run. */
typedef struct {
  LayerRun run;
  float *y;
} Work;

static void destroy(void *kernel) {
  Linear *linear = kernel;
  if (!linear) return;
  release_layer(&linear->layer);
  free(linear);
}

/** What differs between the kinds of layer. */
enum { after_gelu = 1, ends_in_gelu = 2 };

static OrtFailure *create(const CustomOp *op, void *const *api, const Ort *info, void **kernel) {
  (void)api;
  const Operator *of = (const Operator *)op;
  Linear *linear = calloc(1, sizeof *linear);
  if (!linear) return refuse(of->runtime, "out of memory");
  linear->runtime = of->runtime;
  linear->layer = (NodeLayer){.kernel = of->kernels->linear, .layer = {.after_gelu = of->kind & after_gelu, .ends_in_gelu = of->kind & ends_in_gelu}};
  OrtFailure *failure = read_layer(of->runtime, info, &linear->layer);
  if (failure) destroy(linear);
  else *kernel = linear;
  return failure;
}

static void multiply(void *of, size_t panel) {
  const Work *work = of;
  const LayerRun *run = &work->run;
  run->kernel->multiply_panel(&run->layer, panel, run->codes, run->units, run->rows, work->y);
}

static OrtFailure *run_layer(const Linear *linear, Ort *context, Work *work) {
  Runtime *runtime = linear->runtime;
  Shape shape;
  OrtFailure *failure = read_inputs(runtime, context, &linear->layer, &work->run, &shape);
  if (!failure) failure = quantize_input(runtime, context, &work->run);
  if (failure) return failure;
  shape.dims[shape.rank - 1] = (int64_t)work->run.layer.n;
  work->y = output_of(runtime, context, 0, &shape);
  if (!work->y || in_parallel(runtime, context, multiply, work->run.rows > 0 ? linear->layer.panels : 0, work)) return refuse_with_last_error(runtime);
  return NULL;
}

static OrtFailure *compute(void *kernel, Ort *context) {
  Work work = {.run = {.units = NULL}};
  OrtFailure *failure = run_layer(kernel, context, &work);
  free(work.run.units);
  return failure;
}

int add_linear(Runtime *runtime, Ort *domain, const Kernels *kernels) {
  static const struct {
    const char *name;
    int kind;
  } kinds[] = {{"Linear", 0}, {"LinearGelu", ends_in_gelu}, {"GeluLinear", after_gelu}, {"GeluLinearGelu", after_gelu | ends_in_gelu}};
  enum { kind_count = sizeof kinds / sizeof *kinds };
  Operator *operators = calloc(kind_count, sizeof *operators); /* never freed: sessions keep pointers to them */
  if (!operators) return fail("out of memory");
  for (size_t i = 0; i < kind_count; i++) {
    operators[i] = (Operator){.name = kinds[i].name, .kind = kinds[i].kind, .inputs = layer_inputs, .types = layer_input_types, .outputs = 1, .kernels = kernels, .create = create, .compute = compute, .destroy = destroy};
    if (add_operator(runtime, domain, &operators[i])) return -1;
  }
  return 0;
}
