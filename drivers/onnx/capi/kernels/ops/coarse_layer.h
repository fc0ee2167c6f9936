/**
 * A layer whose highest scores are wanted: all are computed from the upper half of each weight (CoarseKernel), and those that may be among the highest once more from all of it. Few rows wait
 * for less to come from memory: 35 instead of the 48 MB that a step of Whisper base's decoder reads. Many gain nothing, but get the same: what becomes of a row does not depend on those beside it.
 */
#ifndef EARSHOT_COARSE_LAYER_H
#define EARSHOT_COARSE_LAYER_H

#include "layer.h"

/**
 * A score that is lower than the 16th by so much, in nats, is not computed again. The coarse ones are off by 1 (standard deviation). With 3, of 1,200 steps of the included model, the five
 * highest were always found and all 16 in 98.5 %, 135 scores of a row were computed again (median), and the sum over the vocabulary was off by 0.01; what quantizing activations adds is 0.09.
 */
static const float coarse_margin = 3;

/** The state of one node. */
typedef struct {
  const CoarseKernel *kernel;
  uint8_t *packed; /* [panels, K / 2 * 64]; NULL: the layer can't be used in this way */
} CoarseLayer;

/** @param kernel NULL: there is none. @return 0, or -1 if out of memory */
int pack_layer(CoarseLayer *of, const CoarseKernel *kernel, const int8_t *weights, size_t panels, size_t k);

/** The rows of one run, quantized as LinearKernel does it, but as signed codes at every level. */
typedef struct {
  const CoarseLayer *coarse;
  const Layer *layer;
  size_t rows;
  int8_t *codes;      /* [rows, K]; in the same memory as units */
  int32_t *code_sums; /* [rows] */
  float *units;       /* [rows]; NaN if a value of the row is none */
} CoarseRun;

/** The caller frees `units`. @return 0, or -1 if out of memory */
int quantize_coarsely(CoarseRun *run, const float *x);
/** Scores of `count` outputs from `first` on, a multiple of 64 -> y [rows, count], rows `stride` floats apart. */
void coarse_scores(const CoarseRun *run, size_t first, size_t count, float *y, size_t stride);
/** As LinearKernel computes it, but for the last bit. */
float exact_score(const CoarseRun *run, size_t row, size_t output);

#endif
