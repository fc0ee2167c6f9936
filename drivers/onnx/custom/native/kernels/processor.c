#include "processor.h"

#ifdef __x86_64__

int vectors_fit(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("fma");
}

int products_fit(void) { return vectors_fit() && __builtin_cpu_supports("avx512vnni"); }

int attention_fits(void) { return vectors_fit() && __builtin_cpu_supports("avx512bf16"); }

#else

int vectors_fit(void) { return 0; }
int products_fit(void) { return 0; }
int attention_fits(void) { return 0; }

#endif
