/** Parses the options of a session (threads, configuration entries, execution providers) and applies them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "constants.h"
#include "kernels/dispatch.h"

enum { options_max = 64 };

typedef struct {
  const char *name; /* NULL: none yet */
  const char *keys[options_max];
  const char *values[options_max];
  size_t count;
} Provider;

/** NVIDIA's providers have functions of their own in the API. */
static int append_nvidia(Runtime *runtime, Ort *options, const Provider *provider, int create, int update, int append, int release) {
  Ort *own = NULL;
  if (check(runtime, API(runtime, create, Ort **)(&own))) return -1;
  int failed = check(runtime, API(runtime, update, Ort *, const char *const *, const char *const *, size_t)(own, provider->keys, provider->values, provider->count)) ||
               check(runtime, API(runtime, append, Ort *, Ort *)(options, own));
  RELEASE(runtime, release, own);
  return failed ? -1 : 0;
}

/** Vendors' builds often only export a function (options, number) for their provider, as was usual before 1.12. */
static int append_by_symbol(Runtime *runtime, Ort *options, const Provider *provider) {
  char symbol[160];
  snprintf(symbol, sizeof symbol, "OrtSessionOptionsAppendExecutionProvider_%s", provider->name);
  OrtFailure *(*append)(Ort *, int) = (OrtFailure * (*)(Ort *, int)) dlsym(runtime->library, symbol);
  if (!append) return -1; /* keeps the message of the generic call */
  return check(runtime, append(options, provider->count > 0 ? atoi(provider->values[0]) : 0));
}

static int append_provider(Runtime *runtime, Ort *options, const Provider *provider) {
  if (!provider->name) return 0;
  if (strcmp(provider->name, "CUDA") == 0)
    return append_nvidia(runtime, options, provider, ort_create_cuda_options, ort_update_cuda_options, ort_append_cuda, ort_release_cuda_options);
  if (strcmp(provider->name, "TensorRT") == 0)
    return append_nvidia(runtime, options, provider, ort_create_tensorrt_options, ort_update_tensorrt_options, ort_append_tensorrt, ort_release_tensorrt_options);
  OrtFailure *failure = API(runtime, ort_append_provider, Ort *, const char *, const char *const *, const char *const *, size_t)(
      options, provider->name, provider->keys, provider->values, provider->count);
  if (!failure) return 0;
  check(runtime, failure);
  return append_by_symbol(runtime, options, provider);
}

/** Patterns are kept for each shape that was seen, for ever: they are for shapes that stay the same. */
static int set_memory(Runtime *runtime, Ort *options, Ort **run_options, const char *how) {
  int is_planned = strcmp(how, "planned") == 0;
  if (!is_planned && strcmp(how, "pooled") != 0) return fail("no such way to use memory: %.100s", how);
  if (check(runtime, API(runtime, ort_enable_cpu_mem_arena, Ort *)(options))) return -1;
  if (is_planned) return check(runtime, API(runtime, ort_enable_mem_pattern, Ort *)(options));
  if (*run_options) return fail("memory is said twice");
  return check(runtime, API(runtime, ort_create_run_options, Ort **)(run_options)) ||
                 check(runtime, API(runtime, ort_add_run_config_entry, Ort *, const char *, const char *)(*run_options, "memory.enable_memory_arena_shrinkage", "cpu:0"))
             ? -1
             : 0;
}

static int set_device(Session *opened, const char *name, const char *number) {
  if (strlen(name) >= sizeof opened->device) return fail("no such memory: %.100s", name);
  strcpy(opened->device, name);
  opened->device_number = atoi(number);
  return 0;
}

/** @param line modified. */
static int take_line(Session *opened, Ort *options, Provider *provider, char *line) {
  Runtime *runtime = opened->runtime;
  char *word = strsep(&line, " ");
  if (line && strcmp(word, "constants") == 0) return open_constants(opened, line);
  if (line && strcmp(word, "constant") == 0) return hold_constant(opened, options, line);
  char *key = strsep(&line, " ");
  const char *value = line ? line : "";
  if (!key) return fail("an option without a value: %.100s", word);
  if (strcmp(word, "threads") == 0) return check(runtime, API(runtime, ort_set_intra_op_threads, Ort *, int)(options, atoi(key)));
  if (strcmp(word, "config") == 0) return check(runtime, API(runtime, ort_add_config_entry, Ort *, const char *, const char *)(options, key, value));
  if (strcmp(word, "kernels") == 0) return add_kernels(runtime, options, key);
  if (strcmp(word, "device") == 0) return set_device(opened, key, value);
  if (strcmp(word, "memory") == 0) return set_memory(runtime, options, &opened->run_options, key);
  if (strcmp(word, "provider") == 0) {
    if (append_provider(runtime, options, provider)) return -1;
    provider->name = key;
    provider->count = 0;
    return 0;
  }
  if (strcmp(word, "option") != 0) return fail("an unknown option: %.100s", word);
  if (!provider->name || provider->count == options_max) return fail("an option of no provider, or one too many: %.100s", key);
  provider->keys[provider->count] = key;
  provider->values[provider->count++] = value;
  return 0;
}

/** The same settings as session.ts makes for the bundled library; the reasons are there. */
int set_options(Session *opened, Ort *options, char *text) {
  Runtime *runtime = opened->runtime;
  enum { sequential = 0, all_optimizations = 99, errors_only = 3 };
  if (check(runtime, API(runtime, ort_set_execution_mode, Ort *, int)(options, sequential)) ||
      check(runtime, API(runtime, ort_set_inter_op_threads, Ort *, int)(options, 1)) ||
      check(runtime, API(runtime, ort_set_optimization_level, Ort *, int)(options, all_optimizations)) ||
      check(runtime, API(runtime, ort_disable_cpu_mem_arena, Ort *)(options)) ||
      check(runtime, API(runtime, ort_disable_mem_pattern, Ort *)(options)) ||
      check(runtime, API(runtime, ort_set_log_severity, Ort *, int)(options, errors_only)))
    return -1;
  Provider provider = {0};
  char *line;
  while ((line = strsep(&text, "\n")))
    if (*line && take_line(opened, options, &provider, line)) return -1;
  return append_provider(runtime, options, &provider);
}
