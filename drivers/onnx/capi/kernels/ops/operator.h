/** Shared by the custom operators: registration with ONNX Runtime, and access to a run's tensors. */
#ifndef EARSHOT_OPERATOR_H
#define EARSHOT_OPERATOR_H

#include "kernels/kernels.h"
#include "native/runtime.h"

enum { rank_max = 8 };

/** A shape; rank -1 if it could not be read. */
typedef struct {
  int rank;
  int64_t dims[rank_max];
} Shape;

/** An operator on the CPU: all inputs and outputs required. */
typedef struct {
  CustomOp op; /* first member: ONNX Runtime passes this address back */
  Runtime *runtime;
  const char *name;
  size_t inputs;
  const int *types; /* of the inputs */
  size_t outputs;
  const int *output_types; /* NULL: float */
  int kind; /* free for the operator's use */
  const Kernels *kernels;
  OrtFailure *(*create)(const CustomOp *op, void *const *api, const Ort *info, void **kernel); /* NULL: nodes have no state, and the operator itself is passed as the kernel */
  OrtFailure *(*compute)(void *kernel, Ort *context);
  void (*destroy)(void *kernel); /* NULL if create is NULL */
} Operator;

/** @param kept must never be moved or freed. @return 0 or -1 */
int add_operator(Runtime *runtime, Ort *domain, Operator *kept);

/** A status with this message, for ONNX Runtime to return. */
OrtFailure *refuse(Runtime *runtime, const char *why);
/** The same with the message of the last failed call. */
OrtFailure *refuse_with_last_error(Runtime *runtime);

/** A constant input of a node, before the first run. @return NULL if the input is not constant */
const void *constant_input(Runtime *runtime, const Ort *info, size_t input, Shape *shape);

/** @return NULL with the failure kept. */
const void *input_of(Runtime *runtime, const Ort *context, size_t input, Shape *shape);
/** The output's memory belongs to ONNX Runtime. @return NULL with the failure kept. */
void *output_of(Runtime *runtime, Ort *context, size_t output, const Shape *shape);

/** Calls part(work, i) for i from 0 to parts - 1 on the session's threads. @return 0 or -1 */
int in_parallel(Runtime *runtime, const Ort *context, void (*part)(void *work, size_t i), size_t parts, void *work);

#endif
