#include "coarse_layer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float code_max = 127;

static size_t panel_bytes(size_t k) { return k / 2 * panel_outputs; }

int pack_layer(CoarseLayer *of, const CoarseKernel *kernel, const int8_t *weights, size_t panels, size_t k) {
  of->kernel = kernel;
  of->packed = NULL;
  if (!kernel || k % coarse_inputs != 0) return 0;
  of->packed = aligned_alloc(64, panels * panel_bytes(k) + 64);
  if (!of->packed) return -1;
  for (size_t panel = 0; panel < panels; panel++) kernel->pack_panel(weights + panel * panel_outputs * k, k, of->packed + panel * panel_bytes(k));
  return 0;
}

/** @return the largest size of a value; NaN where one is not finite */
static float peak_of(const float *x, size_t k) {
  float peak = 0;
  for (size_t i = 0; i < k; i++) {
    float size = fabsf(x[i]);
    if (!(size < INFINITY)) return NAN;
    if (size > peak) peak = size;
  }
  return peak;
}

static void quantize_row(const float *x, size_t k, int8_t *codes, int32_t *sum, float *unit) {
  const float peak = peak_of(x, k), factor = peak > 0 ? code_max / peak : 0;
  *unit = peak / code_max;
  *sum = 0;
  for (size_t i = 0; i < k; i++) *sum += codes[i] = factor > 0 ? (int8_t)lrintf(x[i] * factor) : 0;
}

int quantize_coarsely(CoarseRun *run, const float *x) {
  const size_t k = run->layer->k;
  run->units = malloc(run->rows * (sizeof *run->units + sizeof *run->code_sums + k) + 1);
  if (!run->units) return -1;
  run->code_sums = (int32_t *)(void *)(run->units + run->rows);
  run->codes = (int8_t *)(run->code_sums + run->rows);
  for (size_t row = 0; row < run->rows; row++) quantize_row(x + row * k, k, run->codes + row * k, run->code_sums + row, run->units + row);
  return 0;
}

void coarse_scores(const CoarseRun *run, size_t first, size_t count, float *y, size_t stride) {
  const Layer *layer = run->layer;
  CoarseArgs args = {.k = layer->k, .rows = run->rows, .codes = run->codes, .code_sums = run->code_sums, .units = run->units, .stride = stride};
  for (size_t at = 0; at < count; at += panel_outputs) {
    const size_t output = first + at;
    args.packed = run->coarse->packed + output / panel_outputs * panel_bytes(layer->k);
    args.outputs = count - at < panel_outputs ? count - at : panel_outputs;
    args.scales = layer->scales + output, args.bias = layer->bias + output, args.y = y + at;
    run->coarse->kernel->multiply_panel(&args);
  }
}

/* gcc's vectors, which become instructions of the architecture's baseline. */
typedef int32_t Groups __attribute__((vector_size(16)));
typedef int8_t Bytes __attribute__((vector_size(16)));
typedef int16_t Halves __attribute__((vector_size(32)));
typedef int32_t Sums __attribute__((vector_size(64)));

static inline int32_t group_at(const int8_t *weights) {
  int32_t group;
  memcpy(&group, weights, sizeof group);
  return group;
}

/** Codes [k] times the weights of an output in its panel. A product fits in 16 bits: 127 times 127. */
static int32_t product_of(const int8_t *codes, const int8_t *weights, size_t k) {
  enum { at_once = 4 * group_inputs, stride = panel_outputs * group_inputs };
  Sums sums = {0};
  for (size_t i = 0; i < k; i += at_once, weights += 4 * stride) {
    Groups groups = {group_at(weights), group_at(weights + stride), group_at(weights + 2 * stride), group_at(weights + 3 * stride)};
    Bytes given;
    memcpy(&given, codes + i, sizeof given);
    sums += __builtin_convertvector(__builtin_convertvector(given, Halves) * __builtin_convertvector((Bytes)groups, Halves), Sums);
  }
  int32_t sum = 0;
  for (size_t lane = 0; lane < at_once; lane++) sum += sums[lane];
  return sum;
}

float exact_score(const CoarseRun *run, size_t row, size_t output) {
  const Layer *layer = run->layer;
  const int8_t *weights = layer->weights + output / panel_outputs * panel_outputs * layer->k + output % panel_outputs * group_inputs;
  return (float)product_of(run->codes + row * layer->k, weights, layer->k) * run->units[row] * layer->scales[output] + layer->bias[output];
}
