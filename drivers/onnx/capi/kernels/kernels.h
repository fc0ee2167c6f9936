/**
 * The kernels behind the custom operators (ops/) and the features (native/filterbank.c): one function each, compiled for several sets of instructions (simd/, x86/, arm/) and chosen at run time
 * (choice.c). An operator without a kernel is computed by ONNX Runtime from the function in the graph.
 */
#ifndef EARSHOT_KERNELS_H
#define EARSHOT_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/** The same in every size of Whisper. */
enum { head_size = 64 };

/**
 * Layers of 8-bit weights. Activations are quantized dynamically, row by row: value = (code - zero) * unit, codes unsigned. Weights: value = code * scale,
 * codes signed, one scale per output. Weights are packed as [N / 64, K / 4, 64, 4], outputs padded to a multiple of 64 with zeros.
 */
enum { panel_outputs = 64, group_inputs = 4 };

typedef struct {
  size_t k;
  size_t n;
  const int8_t *weights;
  const int32_t *sums; /* [N padded]: sum of each output's weights, to correct for the zero point */
  const float *scales; /* [N] */
  const float *bias;   /* [N] */
  int after_gelu;      /* the input comes from a GELU, so it has a known minimum */
  int ends_in_gelu;
} Layer;

/** Fuses what ONNX Runtime computes in seven passes (maximum, division, quantization, product, maximum, bias, GELU). */
typedef struct {
  /** Bytes of a row of K codes: their form depends on the instructions. A multiple of 4. */
  size_t (*row_bytes)(size_t k);
  /** x [K] -> codes [K] and the unit of the row, which is NaN or an infinity if x has one. */
  void (*quantize_row)(const float *x, size_t k, int after_gelu, uint8_t *codes, float *unit);
  /** codes [rows, K], units [rows] -> 64 outputs of y [rows, N], or fewer in the last panel. */
  void (*multiply_panel)(const Layer *layer, size_t panel, const uint8_t *codes, const float *units, size_t rows, float *y);
} LinearKernel;

/** Attention of one head, softmax(q k / 8) v; rows of 64 floats, `stride` floats apart since heads are interleaved. */
typedef struct {
  const float *queries;
  const float *keys;
  const float *values;
  float *out;
  size_t query_count;
  size_t key_count;
  size_t stride;
} AttentionArgs;

/** Cross-attention of a decoder: one head of one audio segment, whose keys and values are shared by a few queries. */
typedef struct {
  const float *queries; /* [count] rows of 64 floats, `stride` floats apart; already scaled */
  size_t count;
  size_t stride;
  const float *keys;   /* [64, S] */
  const float *values; /* [S, 64] */
  const float *bias;   /* [S], added to the scores */
  size_t positions;    /* S */
  size_t seen;         /* the first positions that are attended to; the others get weight 0 */
  float *out;          /* same layout as queries */
  float *weights;      /* [rows, length] times S floats, rows `row_weights` floats apart; NULL: not wanted */
  size_t length;       /* queries of a row */
  size_t row_weights;
} CrossAttentionArgs;

/**
 * Causal self-attention of a decoder: one head of one row (beam). The cache of the row's parent is copied into the row's own, in front of the new keys and
 * values. Query i attends to the past and to the new positions up to i.
 */
typedef struct {
  const float *queries; /* [count] rows of 64 floats, `stride` floats apart; keys and values likewise */
  const float *keys;
  const float *values;
  size_t count;
  size_t stride;
  const float *past_keys; /* [past, 64]; past_values likewise */
  const float *past_values;
  size_t past;
  float *present_keys; /* [past + count, 64]; present_values likewise */
  float *present_values;
  float *out; /* [count] rows of 64 floats, `out_stride` floats apart */
  size_t out_stride;
} SelfAttentionArgs;

/** The sum of a softmax whose scores come in pieces: Milakov and Gimelshein, arXiv:1805.02867. */
typedef struct {
  float highest; /* at least that of all pieces so far; -INFINITY before the first */
  float sum;     /* of exp(score - highest) over all of them; 0 before the first */
} SoftmaxSum;

typedef struct {
  /** Adds to scores [count] their bias. @return the highest; where one is NaN, NaN or not */
  float (*add_bias)(float *scores, const float *bias, size_t count);
  /** @param peak at least the highest of these scores */
  void (*add_exponentials)(SoftmaxSum *all, const float *scores, size_t count, float peak);
} SoftmaxKernel;

/**
 * Scores from the upper 4 bits of each weight, to find those that are worth computing: codes from -8 to 7, times 16, stored from 0 to 15, two in a byte. The order of a panel's bytes depends
 * on the instructions; there are k / 2 times 64. Activations are signed codes, value = code * unit.
 */
enum { coarse_zero = 8, coarse_step = 16, coarse_inputs = 32 };

typedef struct {
  const uint8_t *packed; /* a panel */
  size_t k;              /* a multiple of coarse_inputs */
  size_t rows;
  const int8_t *codes;      /* [rows, k], from -127 to 127 */
  const int32_t *code_sums; /* [rows] */
  const float *units;       /* [rows] */
  size_t outputs;           /* of the panel: the first ones */
  const float *scales;      /* [outputs] */
  const float *bias;        /* [outputs] */
  float *y;                 /* [rows, outputs], rows `stride` floats apart */
  size_t stride;
} CoarseArgs;

typedef struct {
  /** weights [k / 4, 64, 4] -> packed */
  void (*pack_panel)(const int8_t *weights, size_t k, uint8_t *packed);
  void (*multiply_panel)(const CoarseArgs *args);
} CoarseKernel;

/** log(1 + exp(x - shift)) - slope x - offset: an activation (Yao et al. 2023, "Zipformer"). */
typedef struct {
  const float *x;
  size_t count;
  float shift;
  float offset;
  float *y;
} SwooshArgs;
static const float swoosh_slope = 0.08f;

/** Log-mel energies of frames that begin every `hop_samples`: runtime/features/filterbank-port.ts says what the members mean. */
enum { filterbank_points_max = 512 };
typedef struct {
  const float *samples; /* [(count - 1) * hop_samples + frame_samples] */
  size_t count;
  size_t hop_samples;
  size_t frame_samples; /* even, at most `points` */
  size_t points;        /* 2^a 5^b, a > 1 */
  size_t mels;
  int removes_offset;
  double pre_emphasis;
  double energy_min; /* a normal number above 0 */
  double log_factor; /* of the natural logarithm */
  const double *window;     /* [frame_samples] */
  const double *turns;      /* [points, 2]: cosine and sine of 2 pi k / points */
  const double *noise;      /* [mels] */
  const int32_t *first_bin; /* [mels]: of each filter */
  const int32_t *offset;    /* [mels + 1]: where its weights begin */
  const double *weights;
  float *out; /* [count, mels] */
} FilterbankArgs;

/** A member is NULL where there is no kernel for this processor. The attention functions return 0, or -1 if out of memory. */
typedef struct {
  const LinearKernel *linear;
  int (*attention)(const AttentionArgs *args);
  int (*cross_attention)(const CrossAttentionArgs *args);
  int (*self_attention)(const SelfAttentionArgs *args);
  const CoarseKernel *coarse_linear;
  const SoftmaxKernel *softmax_sum;
  void (*swoosh)(const SwooshArgs *args);
  void (*filterbank)(const FilterbankArgs *args);
} Kernels;

#endif
