#include "levels.h"

#if defined __x86_64__

const Level levels[] = {
    {"none", 0},
    {"avx2", set_avx2},
    {"avx-vnni", set_avx2 | set_avx_vnni},
    {"avx512", set_avx2 | set_avx_vnni | set_avx512 | set_avx512_vnni},
    {"avx512-bf16", ~0u},
    {0},
};

/** Includes that the operating system saves the registers (xgetbv). */
Sets sets_here(void) {
  Sets found = 0;
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return found;
  found |= set_avx2;
  if (__builtin_cpu_supports("avxvnni")) found |= set_avx_vnni;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512dq")) return found;
  found |= set_avx512;
  if (__builtin_cpu_supports("avx512vnni")) found |= set_avx512_vnni;
  if (__builtin_cpu_supports("avx512bf16")) found |= set_avx512_bf16;
  return found;
}

#elif defined __aarch64__
#include <sys/auxv.h>

const Level levels[] = {
    {"none", 0},
    {"neon", set_neon},
    {"dotprod", set_neon | set_dotprod | set_fp16},
    {"i8mm", ~0u},
    {0},
};

/** Bits of the kernel's interface (Linux, arch/arm64/include/uapi/asm/hwcap.h); older C libraries lack some names. */
enum { hwcap_fp16 = 1 << 10, hwcap_dotprod = 1 << 20, hwcap2_i8mm = 1 << 13, hwcap2_bf16 = 1 << 14 };

Sets sets_here(void) {
  unsigned long one = getauxval(AT_HWCAP), two = getauxval(AT_HWCAP2);
  return set_neon | (one & hwcap_dotprod ? set_dotprod : 0) | (one & hwcap_fp16 ? set_fp16 : 0) | (two & hwcap2_i8mm ? set_i8mm : 0) | (two & hwcap2_bf16 ? set_bf16 : 0);
}

#endif
