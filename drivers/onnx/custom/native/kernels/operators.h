/** Our operators: each function adds some to our domain, where processor.h has what they need. @return 0 or -1 */
#ifndef EARSHOT_OPERATORS_H
#define EARSHOT_OPERATORS_H

#include "runtime.h"

int add_linear(Runtime *runtime, Ort *domain);          /* linear.c; products_fit */
int add_attention(Runtime *runtime, Ort *domain);       /* attention.c; attention_fits */
int add_cross_attention(Runtime *runtime, Ort *domain); /* cross_attention.c; vectors_fit */
int add_self_attention(Runtime *runtime, Ort *domain);  /* self_attention.c; vectors_fit */

#endif
