/** Detects, kernel by kernel, what this processor supports, and registers the operators that have a kernel. Compiled for the architecture's baseline. */
#include "dispatch.h"

#include <stdio.h>

#include "kernels.h"
#include "ops/operators.h"
#ifdef __x86_64__
#include "x86/x86.h"
#endif

static Kernels ask_processor(void) {
  Kernels found = {0};
#ifdef __x86_64__
  /* the baseline of every file in x86/: see native/build */
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512dq") ||
      !__builtin_cpu_supports("fma"))
    return found;
  found.cross_attention = x86_cross_attention;
  found.self_attention = x86_self_attention;
  found.swoosh = x86_swoosh;
  if (__builtin_cpu_supports("avx512vnni")) found.linear = &x86_linear;
  if (__builtin_cpu_supports("avx512bf16")) found.attention = x86_attention;
#endif
  return found;
}

const Kernels *kernels(void) {
  static Kernels found;
  static int asked;
  if (!asked) found = ask_processor();
  asked = 1; /* no lock: only one thread opens graphs (earshot_ort.h) */
  return &found;
}

static int has_cross_attention(void) { return kernels()->cross_attention != NULL; }
static int has_self_attention(void) { return kernels()->self_attention != NULL; }
static int has_swoosh(void) { return kernels()->swoosh != NULL; }
static int has_linear(void) { return kernels()->linear != NULL; }
static int has_attention(void) { return kernels()->attention != NULL; }

static const struct {
  const char *name;
  int (*is_there)(void);
  int (*add)(Runtime *runtime, Ort *domain);
} operators[] = {
    {"cross-attention", has_cross_attention, add_cross_attention},
    {"self-attention", has_self_attention, add_self_attention},
    {"linear", has_linear, add_linear},
    {"attention", has_attention, add_attention},
    {"swoosh", has_swoosh, add_swoosh},
};
enum { operator_count = sizeof operators / sizeof *operators };

EXPORTED const char *earshot_ort_kernels(void) {
  static char names[256];
  size_t length = 0;
  names[0] = '\0';
  for (size_t i = 0; i < operator_count; i++) {
    if (!operators[i].is_there()) continue;
    int wrote = snprintf(names + length, sizeof names - length, "%s ", operators[i].name);
    if (wrote < 0 || (size_t)wrote >= sizeof names - length) break; /* a truncated name would be wrong */
    length += (size_t)wrote;
  }
  names[length] = '\0';
  return names;
}

/** Never freed: sessions keep pointers into the domain. @return 0 or -1 */
static int make_domain(Runtime *runtime) {
  Ort *domain = NULL;
  if (check(runtime, API(runtime, ort_create_domain, const char *, Ort **)("earshot", &domain))) return -1;
  for (size_t i = 0; i < operator_count; i++)
    if (operators[i].is_there() && operators[i].add(runtime, domain)) return -1;
  runtime->kernels = domain;
  return 0;
}

static int has_any(void) {
  for (size_t i = 0; i < operator_count; i++)
    if (operators[i].is_there()) return 1;
  return 0;
}

int add_kernels(Runtime *runtime, Ort *options) {
  if (!has_any()) return 0;
  if (!runtime->kernels && make_domain(runtime)) return -1;
  return check(runtime, API(runtime, ort_add_domain, Ort *, Ort *)(options, runtime->kernels));
}
