#include "kernels.h"

#include <stdio.h>

#include "operators.h"
#include "processor.h"

static const struct {
  const char *name;
  int (*fits)(void);
  int (*add)(Runtime *runtime, Ort *domain);
} kernels[] = {
    {"cross-attention", vectors_fit, add_cross_attention},
    {"self-attention", vectors_fit, add_self_attention},
    {"linear", products_fit, add_linear},
    {"attention", attention_fits, add_attention},
};
enum { kernel_count = sizeof kernels / sizeof *kernels };

EXPORTED const char *earshot_ort_kernels(void) {
  static char names[80];
  size_t length = 0;
  for (size_t i = 0; i < kernel_count; i++)
    if (kernels[i].fits()) length += (size_t)snprintf(names + length, sizeof names - length, "%s ", kernels[i].name);
  return names;
}

/** Lives as long as the library: sessions keep pointers into it. */
static int make_domain(Runtime *runtime) {
  Ort *domain = NULL;
  if (check(runtime, API(runtime, ort_create_domain, const char *, Ort **)("earshot", &domain))) return -1;
  for (size_t i = 0; i < kernel_count; i++)
    if (kernels[i].fits() && kernels[i].add(runtime, domain)) return -1;
  runtime->kernels = domain;
  return 0;
}

int add_kernels(Runtime *runtime, Ort *options) {
  if (!vectors_fit()) return 0; /* all need them */
  if (!runtime->kernels && make_domain(runtime)) return -1;
  return check(runtime, API(runtime, ort_add_domain, Ort *, Ort *)(options, runtime->kernels));
}
