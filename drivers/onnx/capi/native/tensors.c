/** Tensors in the library's memory: counting, reading and releasing them. */
#include <string.h>

#include "runtime.h"

/** Values of the library that are held. */
static int64_t live;

void count_values(int64_t more) { live += more; }

EXPORTED int64_t earshot_ort_live(void) { return live; }

int64_t element_bytes(int64_t type) {
  static const uint8_t bytes[] = {0, 4, 1, 1, 2, 2, 4, 8, 0, 1, 2, 8, 4, 8, 8, 16, 2};
  return type >= 0 && type < (int64_t)sizeof bytes ? bytes[type] : 0;
}

int is_on_device(Runtime *runtime, Ort *value) {
  if (!runtime->copy_from_device) return 0;
  Ort *memory = NULL; /* owned by the value */
  const char *name = NULL;
  if (check(runtime, API(runtime, ort_tensor_memory_info, Ort *, Ort **)(value, &memory)) || check(runtime, API(runtime, ort_memory_info_name, Ort *, const char **)(memory, &name)))
    return -1;
  return strcmp(name, "Cpu") != 0 && !strstr(name, "Pinned");
}

int copy_values(Runtime *runtime, Ort *value, void *into, size_t bytes) {
  enum { device_to_host = 2 };
  void *data = NULL;
  if (bytes == 0) return 0;
  if (check(runtime, API(runtime, ort_tensor_data, Ort *, void **)(value, &data))) return -1;
  int on_device = is_on_device(runtime, value);
  if (on_device < 0) return -1;
  if (!on_device) return memcpy(into, data, bytes), 0;
  int failed = runtime->copy_from_device(into, data, bytes, device_to_host);
  return failed ? fail("values can't be copied from the device: CUDA's error %d", failed) : 0;
}

EXPORTED int64_t earshot_ort_address(uint8_t *memory) { return (int64_t)(intptr_t)memory; }

EXPORTED int32_t earshot_ort_read(int64_t handle, int64_t tensor, uint8_t *into, int64_t bytes) {
  Runtime *runtime = runtime_of(handle);
  Ort *value = (Ort *)(intptr_t)tensor, *info = NULL;
  if (check(runtime, API(runtime, ort_tensor_type_and_shape, Ort *, Ort **)(value, &info))) return -1;
  int type = 0;
  size_t count = 0;
  int failed = check(runtime, API(runtime, ort_element_type, Ort *, int *)(info, &type)) || check(runtime, API(runtime, ort_element_count, Ort *, size_t *)(info, &count));
  RELEASE(runtime, ort_release_tensor_info, info);
  if (failed) return -1;
  if ((int64_t)count * element_bytes(type) != bytes) return fail("a tensor of %zu elements of type %d does not take %lld bytes", count, type, (long long)bytes);
  return copy_values(runtime, value, into, (size_t)bytes);
}

EXPORTED int32_t earshot_ort_release(int64_t handle, const uint8_t *tensors, int32_t count) {
  Runtime *runtime = runtime_of(handle);
  for (int32_t i = 0; i < count; i++) {
    int64_t tensor;
    memcpy(&tensor, tensors + (size_t)i * sizeof tensor, sizeof tensor);
    if (!tensor) continue;
    RELEASE(runtime, ort_release_value, (Ort *)(intptr_t)tensor);
    count_values(-1);
  }
  return 0;
}
