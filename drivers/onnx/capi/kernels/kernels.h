/**
 * The arithmetic of our operators (ops/), as a kind of processor computes it (x86/): one function each, chosen by what this processor has (dispatch.c). Where
 * it has none for an operator, the library computes the function's nodes instead.
 */
#ifndef EARSHOT_KERNELS_H
#define EARSHOT_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/** Every Whisper has heads of 64. */
enum { head_size = 64 };

/**
 * Products of 8-bit codes. An activation's row: value = (code - zero) * unit, unsigned, found while running. A weight: value = code * scale, signed, a scale
 * per output. Weights lie as [N / 64, K / 4, 64, 4], outputs filled up to 64 with zeros.
 */
enum { panel_outputs = 64, group_inputs = 4 };

typedef struct {
  size_t k;
  size_t n;
  const int8_t *weights;
  const int32_t *sums; /* [N filled up]: of each output's weights, for the zero point */
  const float *scales; /* [N] */
  const float *bias;   /* [N] */
  int after_gelu;      /* its input is never below GELU's least value */
  int ends_in_gelu;
} Layer;

/** What ONNX Runtime does in seven passes (peak, division, codes, product, peak, bias, GELU). */
typedef struct {
  /** x [K] -> codes [K] and the unit of the row. NaN and infinity make it NaN. */
  void (*quantize_row)(const float *x, size_t k, int after_gelu, uint8_t *codes, float *unit);
  /** codes [rows, K], units [rows] -> 64 outputs of y [rows, N], or fewer in the last panel. */
  void (*multiply_panel)(const Layer *layer, size_t panel, const uint8_t *codes, const float *units, size_t rows, float *y);
} LinearKernel;

/** Attention of one head among others: softmax(q k / 8) v; rows of 64 floats, `stride` floats apart. */
typedef struct {
  const float *queries;
  const float *keys;
  const float *values;
  float *out;
  size_t query_count;
  size_t key_count;
  size_t stride;
} AttentionArgs;

/** A decoder's attention to the sound: one head of one sound, whose keys and values a few queries share. */
typedef struct {
  const float *queries; /* [count] rows of 64 floats, `stride` floats apart; scaled */
  size_t count;
  size_t stride;
  const float *keys;   /* [64, S] */
  const float *values; /* [S, 64] */
  const float *bias;   /* [S], added to the scores */
  size_t positions;    /* S */
  size_t seen;         /* of them; those behind have no weight */
  float *out;          /* as queries */
  float *weights;      /* [rows, length] times S floats, rows `row_weights` floats apart; NULL: nobody asks */
  size_t length;       /* queries of a row */
  size_t row_weights;
} CrossAttentionArgs;

/**
 * A decoder's attention to its own text: one head of one row. The row continues its parent's past, which is copied to where the row's own will stand. Query i
 * sees the past, and what came with it up to i.
 */
typedef struct {
  const float *queries; /* [count] rows of 64 floats, `stride` floats apart; as keys and values */
  const float *keys;
  const float *values;
  size_t count;
  size_t stride;
  const float *past_keys; /* [past, 64], as past_values */
  const float *past_values;
  size_t past;
  float *present_keys; /* [past + count, 64], as present_values */
  float *present_values;
  float *out; /* [count] rows of 64 floats, `out_stride` floats apart */
  size_t out_stride;
} SelfAttentionArgs;

/** NULL: this processor lacks the instructions. Attention returns 0, or -1: out of memory. */
typedef struct {
  const LinearKernel *linear;
  int (*attention)(const AttentionArgs *args);
  int (*cross_attention)(const CrossAttentionArgs *args);
  int (*self_attention)(const SelfAttentionArgs *args);
} Kernels;

/** Of this processor. */
const Kernels *kernels(void);

#endif
