/** Each function adds operators to a domain, to be computed by its kernel among `kernels`. @return 0 or -1 */
#ifndef EARSHOT_OPERATORS_H
#define EARSHOT_OPERATORS_H

#include "kernels/kernels.h"
#include "native/runtime.h"

int add_linear(Runtime *runtime, Ort *domain, const Kernels *kernels);          /* linear.c */
int add_attention(Runtime *runtime, Ort *domain, const Kernels *kernels);       /* attention.c */
int add_cross_attention(Runtime *runtime, Ort *domain, const Kernels *kernels); /* cross_attention.c */
int add_self_attention(Runtime *runtime, Ort *domain, const Kernels *kernels);  /* self_attention.c */
int add_top_log_probs(Runtime *runtime, Ort *domain, const Kernels *kernels);   /* top_log_probs.c */
int add_swoosh(Runtime *runtime, Ort *domain, const Kernels *kernels);          /* swoosh.c */

#endif
