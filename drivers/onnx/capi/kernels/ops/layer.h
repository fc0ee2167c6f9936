/** A linear layer of 8-bit weights as part of an operator. Its first inputs are x [..., K], weights [N / 64, K / 4, 64, 4] in 8 bits, scales [N], bias [N]. */
#ifndef EARSHOT_LAYER_H
#define EARSHOT_LAYER_H

#include "operator.h"

enum { layer_weights_input = 1, layer_inputs = 4 };
extern const int layer_input_types[layer_inputs];

/** The state of one node. */
typedef struct {
  const LinearKernel *kernel;
  Layer layer; /* weights, scales and bias are filled in at each run */
  size_t panels;
  int32_t *sums;
} NodeLayer;

/** @param of zeros, but for `kernel` and what the layer does with GELU */
OrtFailure *read_layer(Runtime *runtime, const Ort *info, NodeLayer *of);
void release_layer(NodeLayer *of);

/** The arguments of one run. */
typedef struct {
  const LinearKernel *kernel;
  Layer layer;
  const float *x;
  size_t rows;
  uint8_t *codes; /* in the same memory as units */
  float *units;
} LayerRun;

/** @param shape gets that of x */
OrtFailure *read_inputs(Runtime *runtime, Ort *context, const NodeLayer *of, LayerRun *run, Shape *shape);
/** Fills in codes and units, on the session's threads. The caller frees `units`, also after a failure. */
OrtFailure *quantize_input(Runtime *runtime, Ort *context, LayerRun *run);

#endif
