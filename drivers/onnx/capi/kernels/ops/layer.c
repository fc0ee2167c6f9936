#include "layer.h"

#include <stdlib.h>
#include <string.h>

enum { x_input, weights_input = layer_weights_input, scales_input, bias_input };
enum { rows_at_once = 16, inputs_max = 65536 };

const int layer_input_types[layer_inputs] = {ort_type_float, ort_type_int8, ort_type_float, ort_type_float};

/** The sum of four weights that were read as one number. */
static inline int32_t sum_of_group(uint32_t group) {
  return (int8_t)group + (int8_t)(group >> 8) + (int8_t)(group >> 16) + (int8_t)(group >> 24);
}

/** Weights [panels, K / 4, 64, 4] -> the sum of each output's weights [panels * 64]. A start reads some 80 MB here, so it takes a group at a time, which gcc makes vectors of. */
static void sum_weights(const int8_t *weights, size_t panels, size_t k, int32_t *sums) {
  uint32_t groups[panel_outputs];
  memset(sums, 0, panels * panel_outputs * sizeof *sums);
  for (size_t panel = 0; panel < panels; panel++, sums += panel_outputs)
    for (size_t group = 0; group < k / group_inputs; group++, weights += sizeof groups) {
      memcpy(groups, weights, sizeof groups);
      for (size_t output = 0; output < panel_outputs; output++) sums[output] += sum_of_group(groups[output]);
    }
}

/** The layer's sizes come from the shapes of its constants, all of which are checked before the first run. */
OrtFailure *read_layer(Runtime *runtime, const Ort *info, NodeLayer *of) {
  Shape weights, scales, bias;
  const int8_t *values = constant_input(runtime, info, weights_input, &weights);
  if (!values || weights.rank != 4 || weights.dims[2] != panel_outputs || weights.dims[3] != group_inputs)
    return refuse(runtime, "the weights of a layer are no constant of [N / 64, K / 4, 64, 4]");
  if (!constant_input(runtime, info, scales_input, &scales) || !constant_input(runtime, info, bias_input, &bias) || scales.rank != 1 || bias.rank != 1 ||
      scales.dims[0] != bias.dims[0] || (scales.dims[0] + panel_outputs - 1) / panel_outputs != weights.dims[0])
    return refuse(runtime, "a layer needs a scale and a bias for each output, both constant");
  of->panels = (size_t)weights.dims[0];
  of->layer.n = (size_t)scales.dims[0];
  of->layer.k = (size_t)weights.dims[1] * group_inputs;
  if (of->layer.k > inputs_max) return refuse(runtime, "a layer of more than 65536 inputs: its sums would not fit in 32 bits");
  of->sums = malloc(of->panels * panel_outputs * sizeof *of->sums + 1);
  if (!of->sums) return refuse(runtime, "out of memory");
  sum_weights(values, of->panels, of->layer.k, of->sums);
  of->layer.sums = of->sums;
  return NULL;
}

void release_layer(NodeLayer *of) { free(of->sums); }

OrtFailure *read_inputs(Runtime *runtime, Ort *context, const NodeLayer *of, LayerRun *run, Shape *shape) {
  Shape ignored;
  *run = (LayerRun){.kernel = of->kernel, .layer = of->layer, .x = input_of(runtime, context, x_input, shape), .rows = 1};
  run->layer.weights = input_of(runtime, context, weights_input, &ignored);
  run->layer.scales = input_of(runtime, context, scales_input, &ignored);
  run->layer.bias = input_of(runtime, context, bias_input, &ignored);
  if (!run->x || !run->layer.weights || !run->layer.scales || !run->layer.bias) return refuse_with_last_error(runtime);
  if (shape->rank < 1 || (size_t)shape->dims[shape->rank - 1] != run->layer.k) return refuse(runtime, "a layer was given an input of another width");
  for (int i = 0; i < shape->rank - 1; i++) run->rows *= (size_t)shape->dims[i];
  return NULL;
}

static void quantize_rows(void *of, size_t block) {
  const LayerRun *run = of;
  size_t k = run->layer.k, bytes = run->kernel->row_bytes(k);
  size_t end = (block + 1) * rows_at_once < run->rows ? (block + 1) * rows_at_once : run->rows;
  for (size_t row = block * rows_at_once; row < end; row++) run->kernel->quantize_row(run->x + row * k, k, run->layer.after_gelu, run->codes + row * bytes, run->units + row);
}

OrtFailure *quantize_input(Runtime *runtime, Ort *context, LayerRun *run) {
  run->units = malloc(run->rows * (sizeof *run->units + run->kernel->row_bytes(run->layer.k)) + 1);
  if (!run->units) return refuse(runtime, "out of memory");
  run->codes = (uint8_t *)(run->units + run->rows);
  return in_parallel(runtime, context, quantize_rows, (run->rows + rows_at_once - 1) / rows_at_once, run) ? refuse_with_last_error(runtime) : NULL;
}
