/** Registers the operators that have a kernel, for each level that sessions ask for. Compiled for the architecture's baseline, like everything beside it. */
#include "dispatch.h"

#include "choice.h"
#include "levels.h"
#include "ops/operators.h"

EXPORTED const char *earshot_ort_kernels(const char *level) {
  int found = level_named(level);
  if (found < 0) return fail("no such level of kernels: %.40s", level), "";
  return describe_kernels(found);
}

/** @return 0 or -1 */
static int add_operators(Runtime *runtime, Ort *domain, const Kernels *kernels) {
  if (kernels->cross_attention && add_cross_attention(runtime, domain, kernels)) return -1;
  if (kernels->self_attention && add_self_attention(runtime, domain, kernels)) return -1;
  if (kernels->linear && add_linear(runtime, domain, kernels)) return -1;
  if (kernels->linear && kernels->softmax_sum && add_top_log_probs(runtime, domain, kernels)) return -1;
  if (kernels->attention && add_attention(runtime, domain, kernels)) return -1;
  if (kernels->swoosh && add_swoosh(runtime, domain, kernels)) return -1;
  return 0;
}

static int has_any(const Kernels *kernels) { return kernels->linear || kernels->attention || kernels->cross_attention || kernels->self_attention || kernels->swoosh; }

/** Never freed: sessions keep pointers into the domain. @return 0 or -1 */
static int make_domain(Runtime *runtime, int level) {
  Ort *domain = NULL;
  if (check(runtime, API(runtime, ort_create_domain, const char *, Ort **)("earshot", &domain)) || add_operators(runtime, domain, kernels_of(level))) return -1;
  runtime->kernels[level] = domain;
  return 0;
}

int add_kernels(Runtime *runtime, Ort *options, const char *name) {
  int level = level_named(name);
  if (level < 0) return fail("no such level of kernels: %.40s", name);
  if (!has_any(kernels_of(level))) return 0;
  if (!runtime->kernels[level] && make_domain(runtime, level)) return -1;
  return check(runtime, API(runtime, ort_add_domain, Ort *, Ort *)(options, runtime->kernels[level]));
}
