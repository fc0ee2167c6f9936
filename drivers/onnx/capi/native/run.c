/**
 * Runs a graph in one call: tensors over the caller's arrays are made before it and released after it, and small outputs are copied into the caller's memory, so
 * that a decoder's step costs one call and leaves nothing to release.
 */
#include <stdlib.h>
#include <string.h>

#include "binding.h"
#include "runtime.h"

/** One input or output of a request. */
typedef struct {
  double number;
  double tensor;  /* 0: over the memory at `address`; of an output: to be made by the library */
  double address; /* of an output: 0 in the library's memory; written: its place in the room, -1: none */
  double bytes;
  double type;
  double rank;
  double dims[EARSHOT_ORT_RANK_MAX];
  double stamp; /* 0: not to be kept on a device */
} End;
_Static_assert(sizeof(End) == EARSHOT_ORT_END_WORDS * sizeof(double), "the words of an end");

typedef struct {
  double session;
  double inputs;
  double outputs;
  double room;
  double room_bytes;
  double copied_bytes_max;
  End ends[];
} Request;
_Static_assert(sizeof(Request) == EARSHOT_ORT_REQUEST_WORDS * sizeof(double), "the words before the ends");

static void *pointer_of(double word) { return (void *)(intptr_t)word; }

static int tensor_over(Runtime *runtime, const End *end, Ort **value) {
  static uint8_t nothing[8];
  int64_t dims[EARSHOT_ORT_RANK_MAX];
  if (!(end->rank >= 0 && end->rank <= EARSHOT_ORT_RANK_MAX)) return fail("a tensor of %.0f dimensions", end->rank);
  size_t rank = (size_t)end->rank;
  for (size_t i = 0; i < rank; i++) dims[i] = (int64_t)end->dims[i];
  int failed = check(runtime, API(runtime, ort_create_tensor_with_data, Ort *, void *, size_t, const int64_t *, size_t, int, Ort **)(
                                  runtime->memory, end->bytes > 0 ? pointer_of(end->address) : nothing, (size_t)end->bytes, dims, rank, (int)end->type, value));
  if (!failed) count_values(1);
  return failed;
}

static int is_ours(const End *end) { return end->tensor == 0; }

static void release_if(Runtime *runtime, Ort **value) {
  if (!*value) return;
  RELEASE(runtime, ort_release_value, *value);
  count_values(-1);
  *value = NULL;
}

/** @param filled bytes of the room that hold outputs; those of this one are added. */
static int copy_out(Runtime *runtime, const Request *request, End *output, Ort *value, size_t *filled) {
  size_t bytes = (size_t)output->bytes, aligned = (*filled + 7) & ~(size_t)7;
  output->address = -1;
  if (output->bytes < 0 || bytes > (size_t)request->copied_bytes_max || aligned + bytes > (size_t)request->room_bytes) return 0;
  if (copy_values(runtime, value, (uint8_t *)pointer_of(request->room) + aligned, bytes)) return -1;
  output->address = (double)aligned;
  *filled = aligned + bytes;
  return 0;
}

/** Writes an output's type, shape and bytes (-1: of no fixed size). */
static int describe_value(Runtime *runtime, Ort *value, End *output) {
  Ort *info = NULL;
  if (check(runtime, API(runtime, ort_tensor_type_and_shape, Ort *, Ort **)(value, &info))) return -1;
  int type = 0;
  size_t rank = 0, count = 1;
  int64_t dims[EARSHOT_ORT_RANK_MAX];
  int failed = check(runtime, API(runtime, ort_element_type, Ort *, int *)(info, &type)) || check(runtime, API(runtime, ort_dimensions_count, Ort *, size_t *)(info, &rank));
  if (!failed && rank > EARSHOT_ORT_RANK_MAX) failed = fail("an output of %zu dimensions", rank);
  if (!failed) failed = check(runtime, API(runtime, ort_dimensions, Ort *, int64_t *, size_t)(info, dims, rank));
  RELEASE(runtime, ort_release_tensor_info, info);
  if (failed) return -1;
  for (size_t i = 0; i < rank; i++) {
    output->dims[i] = (double)dims[i];
    count *= (size_t)dims[i];
  }
  size_t each = (size_t)element_bytes(type);
  output->type = type;
  output->rank = (double)rank;
  output->bytes = each ? (double)(count * each) : -1;
  return 0;
}

/** What the library made: small ones are copied, of the others the caller gets the handle. */
static int take_outputs(Runtime *runtime, const Request *request, End *outputs, Ort **values, size_t count) {
  size_t filled = 0;
  for (size_t i = 0; i < count; i++) {
    if (outputs[i].address != 0) continue;
    if (describe_value(runtime, values[i], &outputs[i]) || copy_out(runtime, request, &outputs[i], values[i], &filled)) return -1;
  }
  for (size_t i = 0; i < count; i++) {
    if (outputs[i].address >= 0) release_if(runtime, &values[i]);
    else outputs[i].tensor = (double)(intptr_t)values[i];
  }
  return 0;
}

static int prepare(Session *opened, const Request *request, size_t inputs, size_t outputs) {
  for (size_t i = 0; i < inputs + outputs; i++) {
    const End *end = &request->ends[i];
    int is_input = i < inputs;
    size_t number = (size_t)end->number, most = is_input ? opened->inputs : opened->outputs;
    if (number >= most) return fail("%s %zu of %zu", is_input ? "input" : "output", number, most);
    opened->wanted[i] = opened->names[is_input ? number : opened->inputs + number];
    if (is_input && !is_ours(end)) opened->values[i] = (Ort *)pointer_of(end->tensor);
    else if (is_input || end->address != 0)
      if (tensor_over(opened->runtime, end, &opened->values[i])) return -1;
  }
  return 0;
}

/** As OrtApi::Run, with `values` and `wanted` of the session. */
static int run_on_device(Session *opened, const Request *request, size_t inputs, size_t outputs) {
  begin_bound(opened, inputs);
  for (size_t i = 0; i < inputs; i++)
    if (bind_input(opened, i, (size_t)request->ends[i].number, request->ends[i].stamp)) return -1;
  return run_bound(opened, inputs, outputs);
}

EXPORTED int32_t earshot_ort_run(uint8_t *words) {
  Request *request = (Request *)words;
  Session *opened = (Session *)pointer_of(request->session);
  Runtime *runtime = opened->runtime;
  size_t inputs = (size_t)request->inputs, outputs = (size_t)request->outputs;
  if (inputs > opened->inputs || outputs > opened->outputs) return fail("more inputs or outputs than the graph has");
  Ort **values = opened->values, **made = values + inputs;
  const char **names = opened->wanted;
  memset(values, 0, (inputs + outputs) * sizeof *values);
  int failed = prepare(opened, request, inputs, outputs);
  if (!failed) {
    failed = opened->binding ? run_on_device(opened, request, inputs, outputs)
                             : check(runtime, API(runtime, ort_run, Ort *, Ort *, const char *const *, Ort *const *, size_t, const char *const *, size_t, Ort **)(
                                                  opened->session, opened->run_options, names, values, inputs, names + inputs, outputs, made));
    for (size_t i = 0; i < outputs; i++)
      if (made[i] && request->ends[inputs + i].address == 0) count_values(1);
    failed = failed || take_outputs(runtime, request, request->ends + inputs, made, outputs);
  }
  for (size_t i = 0; i < inputs; i++)
    if (is_ours(&request->ends[i])) release_if(runtime, &values[i]);
  for (size_t i = 0; i < outputs; i++)
    if (failed || request->ends[inputs + i].address > 0) release_if(runtime, &made[i]);
  return failed ? -1 : 0;
}
