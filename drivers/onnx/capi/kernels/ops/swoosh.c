/** Zipformer's activations as operators: x of any shape; output as x. */
#include <stdlib.h>

#include "operator.h"
#include "operators.h"

enum { left, right };
/** Values for one thread at a time. */
enum { values_at_once = 16384 };

typedef struct {
  const Kernels *kernels;
  SwooshArgs all;
} Work;

static void compute_part(void *of, size_t i) {
  const Work *work = of;
  SwooshArgs part = work->all;
  size_t from = i * values_at_once;
  part.x += from;
  part.y += from;
  part.count = part.count - from < values_at_once ? part.count - from : values_at_once;
  work->kernels->swoosh(&part);
}

static OrtFailure *compute(void *kernel, Ort *context) {
  const Operator *operator= kernel;
  Runtime *runtime = operator->runtime;
  Shape shape;
  Work work = {.kernels = operator->kernels, .all = {.shift = operator->kind == left ? 4 : 1, .offset = operator->kind == left ? 0.035f : 0.3132616877f, .count = 1}};
  work.all.x = input_of(runtime, context, 0, &shape);
  if (!work.all.x) return refuse_with_last_error(runtime);
  for (int i = 0; i < shape.rank; i++) work.all.count *= (size_t)shape.dims[i];
  work.all.y = output_of(runtime, context, 0, &shape);
  if (!work.all.y || in_parallel(runtime, context, compute_part, (work.all.count + values_at_once - 1) / values_at_once, &work)) return refuse_with_last_error(runtime);
  return NULL;
}

int add_swoosh(Runtime *runtime, Ort *domain, const Kernels *kernels) {
  static const int types[] = {ort_type_float};
  static const char *const names[] = {[left] = "SwooshL", [right] = "SwooshR"};
  for (int kind = left; kind <= right; kind++) {
    Operator *swoosh = malloc(sizeof *swoosh); /* for good: sessions keep a pointer to it */
    if (!swoosh) return fail("out of memory");
    *swoosh = (Operator){.name = names[kind], .inputs = 1, .types = types, .outputs = 1, .kind = kind, .kernels = kernels, .compute = compute};
    if (add_operator(runtime, domain, swoosh)) return -1;
  }
  return 0;
}
