/** What our operators share: how the library is told of one, and how a kernel asks for its tensors. */
#ifndef EARSHOT_OPERATOR_H
#define EARSHOT_OPERATOR_H

#include "native/runtime.h"

enum { rank_max = 8 };

/** A shape; rank -1: it could not be read. */
typedef struct {
  int rank;
  int64_t dims[rank_max];
} Shape;

/** An operator on the CPU: all inputs and outputs required, outputs float. */
typedef struct {
  CustomOp op; /* the library knows it by this address */
  Runtime *runtime;
  const char *name;
  size_t inputs;
  const int *types; /* of the inputs */
  size_t outputs;
  int kind; /* its own matter */
  OrtFailure *(*create)(const CustomOp *op, void *const *api, const Ort *info, void **kernel); /* NULL: nodes need nothing of their own, and this is the kernel */
  OrtFailure *(*compute)(void *kernel, Ort *context);
  void (*destroy)(void *kernel); /* NULL where create is */
} Operator;

/** @param kept stays where it is for as long as the process lives. @return 0 or -1 */
int add_operator(Runtime *runtime, Ort *domain, Operator *kept);

/** A failure for the library to hand on, in these words. */
OrtFailure *refuse(Runtime *runtime, const char *why);
/** In the words of the call that failed last. */
OrtFailure *refuse_with_last_error(Runtime *runtime);

/** What a graph gives a node before it runs. @return NULL where it is no constant */
const void *constant_input(Runtime *runtime, const Ort *info, size_t input, Shape *shape);

/** @return NULL with the failure kept. */
const void *input_of(Runtime *runtime, const Ort *context, size_t input, Shape *shape);
/** Its memory is the library's. @return NULL with the failure kept. */
void *output_of(Runtime *runtime, Ort *context, size_t output, const Shape *shape);

/** part(work, 0 to parts - 1), by as many threads as the session has. @return 0 or -1 */
int in_parallel(Runtime *runtime, const Ort *context, void (*part)(void *work, size_t i), size_t parts, void *work);

#endif
