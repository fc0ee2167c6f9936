/** Creates tensors and runs a graph. */
#include <string.h>

#include "runtime.h"

EXPORTED int64_t earshot_ort_tensor(int64_t handle, int32_t type, uint8_t *data, int64_t bytes, const uint8_t *dims, int32_t rank) {
  static uint8_t nothing[8];
  Runtime *runtime = runtime_of(handle);
  int64_t shape[EARSHOT_ORT_RANK_MAX];
  if (rank < 0 || rank > EARSHOT_ORT_RANK_MAX) return fail("a tensor of %d dimensions", rank), 0;
  memcpy(shape, dims, (size_t)rank * sizeof *shape);
  Ort *value = NULL;
  check(runtime, API(runtime, ort_create_tensor_with_data, Ort *, void *, size_t, const int64_t *, size_t, int, Ort **)(
                     runtime->memory, bytes > 0 ? data : nothing, (size_t)bytes, shape, (size_t)rank, type, &value));
  return (int64_t)(intptr_t)value;
}

/** @param output the words of one output: all but its number are written. */
static int describe_value(Runtime *runtime, Ort *value, int64_t *output) {
  Ort *info = NULL;
  if (check(runtime, API(runtime, ort_tensor_type_and_shape, Ort *, Ort **)(value, &info))) return -1;
  int type = 0;
  size_t rank = 0;
  int failed = check(runtime, API(runtime, ort_element_type, Ort *, int *)(info, &type)) || check(runtime, API(runtime, ort_dimensions_count, Ort *, size_t *)(info, &rank));
  if (!failed && rank > EARSHOT_ORT_RANK_MAX) failed = fail("an output of %zu dimensions", rank);
  if (!failed) failed = check(runtime, API(runtime, ort_dimensions, Ort *, int64_t *, size_t)(info, output + 4, rank));
  output[1] = (int64_t)(intptr_t)value;
  output[2] = type;
  output[3] = (int64_t)rank;
  RELEASE(runtime, ort_release_tensor_info, info);
  return failed ? -1 : 0;
}

static void release_outputs(Runtime *runtime, Ort **values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (values[i]) RELEASE(runtime, ort_release_value, values[i]);
    values[i] = NULL;
  }
}

EXPORTED int32_t earshot_ort_run(int64_t session, uint8_t *request) {
  Session *opened = session_of(session);
  Runtime *runtime = opened->runtime;
  int64_t *words = (int64_t *)request;
  size_t inputs = (size_t)words[0], outputs = (size_t)words[1];
  if (inputs > opened->inputs || outputs > opened->outputs) return fail("more inputs or outputs than the graph has");
  const int64_t *given = words + 2;
  int64_t *output = words + 2 + 2 * inputs;
  const char **names = opened->wanted;
  Ort **values = opened->values;
  for (size_t i = 0; i < inputs; i++) {
    size_t number = (size_t)given[2 * i];
    if (number >= opened->inputs) return fail("input %zu of %zu", number, opened->inputs);
    names[i] = opened->names[number];
    values[i] = (Ort *)(intptr_t)given[2 * i + 1];
  }
  for (size_t i = 0; i < outputs; i++) {
    size_t number = (size_t)output[i * EARSHOT_ORT_OUTPUT_WORDS];
    if (number >= opened->outputs) return fail("output %zu of %zu", number, opened->outputs);
    names[inputs + i] = opened->names[opened->inputs + number];
    values[inputs + i] = NULL;
  }
  int failed = check(runtime, API(runtime, ort_run, Ort *, Ort *, const char *const *, Ort *const *, size_t, const char *const *, size_t, Ort **)(
                                  opened->session, NULL, names, values, inputs, names + inputs, outputs, values + inputs));
  for (size_t i = 0; i < outputs && !failed; i++) failed = describe_value(runtime, values[inputs + i], output + i * EARSHOT_ORT_OUTPUT_WORDS);
  if (failed) release_outputs(runtime, values + inputs, outputs);
  return failed ? -1 : 0;
}

static int64_t element_bytes(int64_t type) {
  static const uint8_t bytes[] = {0, 4, 1, 1, 2, 2, 4, 8, 0, 1, 2, 8, 4, 8, 8, 16, 2};
  return type >= 0 && type < (int64_t)sizeof bytes ? bytes[type] : 0;
}

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
  void *data = NULL;
  if (bytes == 0) return 0;
  if (check(runtime, API(runtime, ort_tensor_data, Ort *, void **)(value, &data))) return -1;
  memcpy(into, data, (size_t)bytes);
  return 0;
}

EXPORTED int32_t earshot_ort_release(int64_t handle, const uint8_t *tensors, int32_t count) {
  Runtime *runtime = runtime_of(handle);
  for (int32_t i = 0; i < count; i++) {
    int64_t tensor;
    memcpy(&tensor, tensors + (size_t)i * sizeof tensor, sizeof tensor);
    if (tensor) RELEASE(runtime, ort_release_value, (Ort *)(intptr_t)tensor);
  }
  return 0;
}
