/**
 * Makes this process's libraries believe that the processor is an older one: the instruction CPUID traps (arch_prctl, Linux on Intel since Ivy Bridge), and the answer leaves
 * out what the level lacks. For benchmarks: ONNX Runtime has no switch for the instructions that it uses.
 */
#define _GNU_SOURCE
#include <asm/prctl.h>
#include <cpuid.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/** Bits of leaf 7 to leave out. */
typedef struct {
  const char *level;
  uint32_t ebx, ecx, edx, eax1, edx1;
} Limit;

enum {
  ebx_avx512 = 1u << 16 | 1u << 17 | 1u << 21 | 1u << 28 | 1u << 30, /* F, DQ, IFMA, CD, BW */
  ecx_avx512 = 1u << 1 | 1u << 6 | 1u << 11 | 1u << 12 | 1u << 14,   /* VBMI, VBMI2, VNNI, BITALG, VPOPCNTDQ */
  edx_avx512 = 1u << 2 | 1u << 3 | 1u << 8 | 1u << 23,               /* 4VNNIW, 4FMAPS, VP2INTERSECT, FP16 */
  edx_amx = 1u << 22 | 1u << 24 | 1u << 25,
  eax1_vnni = 1u << 4,
  eax1_bf16 = 1u << 5,
  eax1_amx = 1u << 21,
  eax1_ifma = 1u << 23,
  edx1_new = 1u << 4 | 1u << 5 | 1u << 8 | 1u << 10 | 1u << 19, /* AVX-VNNI-INT8, AVX-NE-CONVERT, AMX-COMPLEX, AVX-VNNI-INT16, AVX10 */
};
#define EBX_AVX512VL (1u << 31)

static const Limit limits[] = {
    {"avx2", ebx_avx512 | EBX_AVX512VL, ecx_avx512, edx_avx512 | edx_amx, eax1_vnni | eax1_bf16 | eax1_amx | eax1_ifma, edx1_new},
    {"avx-vnni", ebx_avx512 | EBX_AVX512VL, ecx_avx512, edx_avx512 | edx_amx, eax1_bf16 | eax1_amx | eax1_ifma, edx1_new},
    {"avx512", 0, 0, 1u << 23 | edx_amx, eax1_bf16 | eax1_amx | eax1_ifma, edx1_new},
    {"avx512-bf16", 0, 0, 0, 0, 0},
};
static const Limit *limit;
static struct sigaction before;

static void answer(greg_t *registers) {
  uint32_t leaf = (uint32_t)registers[REG_RAX], part = (uint32_t)registers[REG_RCX], a, b, c, d;
  syscall(SYS_arch_prctl, ARCH_SET_CPUID, 1);
  __cpuid_count(leaf, part, a, b, c, d);
  syscall(SYS_arch_prctl, ARCH_SET_CPUID, 0);
  if (leaf == 7 && part == 0) b &= ~limit->ebx, c &= ~limit->ecx, d &= ~limit->edx;
  if (leaf == 7 && part == 1) a &= ~limit->eax1, d &= ~limit->edx1;
  registers[REG_RAX] = a, registers[REG_RBX] = b, registers[REG_RCX] = c, registers[REG_RDX] = d;
  registers[REG_RIP] += 2;
}

static void on_trap(int number, siginfo_t *info, void *context) {
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  if (memcmp((const void *)registers[REG_RIP], "\x0f\xa2", 2) == 0) answer(registers);
  else if (before.sa_flags & SA_SIGINFO) before.sa_sigaction(number, info, context);
  else sigaction(number, &before, NULL);
}

/** For this thread and those that it starts. @return 0, or -1: no such level, or the system can't */
int32_t limit_cpuid(const char *level) {
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    if (strcmp(limits[i].level, level) == 0) limit = &limits[i];
  if (!limit) return -1;
  struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER};
  if (sigaction(SIGSEGV, &action, &before)) return -1;
  return syscall(SYS_arch_prctl, ARCH_SET_CPUID, 0) ? -1 : 0;
}
