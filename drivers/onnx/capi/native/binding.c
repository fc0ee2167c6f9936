/**
 * Runs of a graph on a device that has memory of its own (OrtIoBinding). OrtApi::Run copies each input there and each output back: for a step of a decoder, what was
 * said so far and what is attended to, which only the next step reads. Here outputs stay on the device until they are read, and inputs until others come.
 *
 * The values of a device are read by its vendor's function, since ONNX Runtime has none for providers that are part of it.
 */
#define _GNU_SOURCE
#include "binding.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct Binding {
  Ort *io;
  Ort *memory;
  double stamps[]; /* of what is bound to each input; 0: nothing that stays */
};

/** CUDA's runtime is in the process since its provider was loaded. */
static CopyFromDevice *find_cuda_copy(void) {
  static const char *const names[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0", "libcudart.so"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    void *library = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
    void *found = library ? dlsym(library, "cudaMemcpy") : NULL;
    if (found) return (CopyFromDevice *)found;
  }
  return NULL;
}

int open_binding(Session *opened) {
  Runtime *runtime = opened->runtime;
  enum { device_allocator = 0, memory_default = 0 };
  if (!*opened->device) return 0;
  if (strcmp(opened->device, "Cuda") == 0 && !runtime->copy_from_device && !(runtime->copy_from_device = find_cuda_copy())) return 0;
  Binding *binding = opened->binding = calloc(1, sizeof *binding + opened->inputs * sizeof *binding->stamps);
  if (!binding) return fail("out of memory");
  return check(runtime, API(runtime, ort_create_memory_info, const char *, int, int, int, Ort **)(opened->device, device_allocator, opened->device_number, memory_default, &binding->memory)) ||
                 check(runtime, API(runtime, ort_create_binding, Ort *, Ort **)(opened->session, &binding->io))
             ? -1
             : 0;
}

void close_binding(Session *opened) {
  Binding *binding = opened->binding;
  if (!binding) return;
  if (binding->io) RELEASE(opened->runtime, ort_release_binding, binding->io);
  if (binding->memory) RELEASE(opened->runtime, ort_release_memory_info, binding->memory);
  free(binding);
  opened->binding = NULL;
}

static void clear(Session *opened, int what) { ((void (*)(Ort *))opened->runtime->api[what])(opened->binding->io); }

void begin_bound(Session *opened, size_t inputs) {
  clear(opened, ort_clear_bound_outputs); /* of a run that failed */
  if (inputs == opened->inputs) return;
  /* an input that this run does not have must not be one of an earlier run */
  clear(opened, ort_clear_bound_inputs);
  memset(opened->binding->stamps, 0, opened->inputs * sizeof *opened->binding->stamps);
}

int bind_input(Session *opened, size_t place, size_t number, double stamp) {
  Runtime *runtime = opened->runtime;
  Binding *binding = opened->binding;
  if (stamp != 0 && stamp == binding->stamps[number]) return 0;
  binding->stamps[number] = 0;
  if (check(runtime, API(runtime, ort_bind_input, Ort *, const char *, Ort *)(binding->io, opened->wanted[place], opened->values[place]))) return -1;
  binding->stamps[number] = stamp;
  return 0;
}

/** What the run made; of those that were written where the caller wanted them, only a second reference. */
static int take_bound(Session *opened, Ort **made, size_t outputs) {
  Runtime *runtime = opened->runtime;
  Ort **found = NULL;
  size_t count = 0;
  if (check(runtime, API(runtime, ort_bound_outputs, Ort *, Ort *, Ort ***, size_t *)(opened->binding->io, runtime->allocator, &found, &count))) return -1;
  clear(opened, ort_clear_bound_outputs); /* the caller alone says how long they are needed */
  for (size_t i = 0; i < count; i++)
    if (i < outputs && !made[i]) made[i] = found[i];
    else RELEASE(runtime, ort_release_value, found[i]);
  int failed = found ? check(runtime, API(runtime, ort_allocator_free, Ort *, void *)(runtime->allocator, found)) : 0;
  return failed || count == outputs ? failed : fail("%zu outputs instead of %zu", count, outputs);
}

int run_bound(Session *opened, size_t inputs, size_t outputs) {
  Runtime *runtime = opened->runtime;
  Binding *binding = opened->binding;
  const char **names = opened->wanted + inputs;
  Ort **made = opened->values + inputs;
  for (size_t i = 0; i < outputs; i++)
    if (made[i] ? check(runtime, API(runtime, ort_bind_output, Ort *, const char *, Ort *)(binding->io, names[i], made[i]))
                : check(runtime, API(runtime, ort_bind_output_to_device, Ort *, const char *, Ort *)(binding->io, names[i], binding->memory)))
      return -1;
  if (check(runtime, API(runtime, ort_synchronize_bound_inputs, Ort *)(binding->io)) ||
      check(runtime, API(runtime, ort_run_bound, Ort *, Ort *, Ort *)(opened->session, opened->run_options, binding->io)) ||
      check(runtime, API(runtime, ort_synchronize_bound_outputs, Ort *)(binding->io)))
    return -1;
  return take_bound(opened, made, outputs);
}
