/** Loads a library that exports OrtGetApiBase, and keeps why the last call failed. */
#define _GNU_SOURCE
#include "runtime.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef EARSHOT_ORT_SOURCE
#define EARSHOT_ORT_SOURCE "unknown"
#endif

static char error[1024];

int fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error, sizeof error, format, arguments);
  va_end(arguments);
  return -1;
}

int check(Runtime *runtime, OrtFailure *failure) {
  if (!failure) return 0;
  fail("%s", ((const char *(*)(OrtFailure *))runtime->api[ort_error_message])(failure));
  RELEASE(runtime, ort_release_status, failure);
  return -1;
}

EXPORTED int32_t earshot_ort_interface(void) { return EARSHOT_ORT_INTERFACE; }

EXPORTED const char *earshot_ort_source(void) { return EARSHOT_ORT_SOURCE; }

EXPORTED const char *earshot_ort_error(void) { return error; }

EXPORTED int64_t earshot_ort_load(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) return fail("%s", dlerror()), 0;
  const OrtApiBase *(*base_of)(void) = (const OrtApiBase *(*)(void))dlsym(library, "OrtGetApiBase");
  if (!base_of) return fail("it is no ONNX Runtime: it exports no OrtGetApiBase"), 0;
  const OrtApiBase *base = base_of();
  if (!base || !base->get_api || !base->version) return fail("OrtGetApiBase gives no functions"), 0;
  const char *version = base->version();
  if (!version) version = "of an unknown version";
  void *const *api = base->get_api(ORT_API_VERSION_WANTED);
  if (!api) return fail("it is ONNX Runtime %.40s, and " ORT_VERSION_WANTED " or newer is needed", version), 0;
  Runtime *runtime = calloc(1, sizeof *runtime);
  if (!runtime) return fail("out of memory"), 0;
  runtime->api = api;
  runtime->version = version;
  runtime->library = library;
  enum { errors_only = 3, device_allocator = 0, memory_default = 0 };
  if (check(runtime, API(runtime, ort_create_env, int, const char *, Ort **)(errors_only, "earshot", &runtime->env)) ||
      check(runtime, API(runtime, ort_create_cpu_memory_info, int, int, Ort **)(device_allocator, memory_default, &runtime->memory)) ||
      check(runtime, API(runtime, ort_default_allocator, Ort **)(&runtime->allocator))) {
    free(runtime);
    return 0;
  }
  return (int64_t)(intptr_t)runtime;
}

EXPORTED const char *earshot_ort_version(int64_t handle) { return runtime_of(handle)->version; }
