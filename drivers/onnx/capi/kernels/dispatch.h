/**
 * Custom operators of the domain "earshot". Our graphs define each as an ONNX function too: where this processor has a kernel, ONNX Runtime calls it, and
 * elsewhere it inlines the function.
 */
#ifndef EARSHOT_DISPATCH_H
#define EARSHOT_DISPATCH_H

#include "native/runtime.h"

/** Adds to a session those custom operators for which this processor has kernels. @param level up to which: levels.c, or auto. @return 0 or -1 */
int add_kernels(Runtime *runtime, Ort *options, const char *level);

#endif
