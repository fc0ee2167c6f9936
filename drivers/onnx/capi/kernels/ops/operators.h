/** Each function adds its operators to our domain if this processor has their kernels (kernels/kernels.h). @return 0 or -1 */
#ifndef EARSHOT_OPERATORS_H
#define EARSHOT_OPERATORS_H

#include "native/runtime.h"

int add_linear(Runtime *runtime, Ort *domain);          /* linear.c */
int add_attention(Runtime *runtime, Ort *domain);       /* attention.c */
int add_cross_attention(Runtime *runtime, Ort *domain); /* cross_attention.c */
int add_self_attention(Runtime *runtime, Ort *domain);  /* self_attention.c */
int add_swoosh(Runtime *runtime, Ort *domain);          /* swoosh.c */

#endif
