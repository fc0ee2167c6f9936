/**
 * Operators of the domain "earshot": functions of our graphs, which say in ONNX's own words what they compute. Where this processor has a kernel for one the
 * library takes it; everywhere else it puts the function's nodes in its place.
 */
#ifndef EARSHOT_DISPATCH_H
#define EARSHOT_DISPATCH_H

#include "native/runtime.h"

/** Gives a session our operators, as far as this processor has kernels for them. @return 0 or -1 */
int add_kernels(Runtime *runtime, Ort *options);

#endif
