/** Linear layers of 8-bit weights: a tile of sums stays in registers through product, scaling, bias and GELU. */
#include <immintrin.h>
#include <math.h>
#include <string.h>

#include "vectors.h"
#include "x86.h"

enum { tile_vectors = panel_outputs / lanes };

typedef int32_t Sums[tile_rows][tile_vectors][lanes] __attribute__((aligned(64)));

/** Symmetric: codes 1 to 255 around 128. After a GELU, which is never below -0.17, a low zero point leaves most codes to the positive values. */
enum { code_max = 255, plain_zero = 128, gelu_zero = 32 };
static const float gelu_depth = 0.17f;

static void quantize_row(const float *x, size_t k, int after_gelu, uint8_t *codes, float *unit) {
  __m512 peaks = _mm512_setzero_ps();
  __mmask16 no_numbers = 0;
  for (size_t i = 0; i < k; i += lanes) {
    __m512 values = _mm512_maskz_loadu_ps(first_lanes(k - i), x + i);
    peaks = _mm512_max_ps(peaks, after_gelu ? values : _mm512_abs_ps(values));
    no_numbers |= _mm512_cmp_ps_mask(values, values, _CMP_UNORD_Q);
  }
  float peak = _mm512_reduce_max_ps(peaks);
  int zero = after_gelu ? gelu_zero : plain_zero;
  float least = after_gelu ? gelu_depth / gelu_zero * (code_max - gelu_zero) : 0;
  if (peak < least) peak = least;
  *unit = no_numbers ? NAN : peak / (float)(code_max - zero);
  __m512 factor = _mm512_set1_ps(peak > 0 ? (float)(code_max - zero) / peak : 0);
  for (size_t i = 0; i < k; i += lanes) {
    __mmask16 mask = first_lanes(k - i);
    __m512i rounded = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_maskz_loadu_ps(mask, x + i), factor));
    __m512i code = _mm512_max_epi32(_mm512_add_epi32(rounded, _mm512_set1_epi32(zero)), _mm512_setzero_si512());
    _mm512_mask_cvtusepi32_storeu_epi8(codes + i, mask, code);
  }
}

/* Inline assembly: with the intrinsic, gcc 12 spills the sums. */
#define ADD(sum, codes, weights) __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(codes), "v"(weights))
#define BEGIN(row) __m512i sum##row##0 = _mm512_setzero_si512(), sum##row##1 = sum##row##0, sum##row##2 = sum##row##0, sum##row##3 = sum##row##0;
#define STEP(row)                                              \
  if (rows > row) {                                            \
    int32_t four;                                              \
    memcpy(&four, codes + row * k + i, sizeof four);           \
    __m512i all = _mm512_set1_epi32(four);                     \
    ADD(sum##row##0, all, w0);                                 \
    ADD(sum##row##1, all, w1);                                 \
    ADD(sum##row##2, all, w2);                                 \
    ADD(sum##row##3, all, w3);                                 \
  }
#define KEEP(row)                                   \
  if (rows > row) {                                 \
    _mm512_store_si512(sums[row][0], sum##row##0);  \
    _mm512_store_si512(sums[row][1], sum##row##1);  \
    _mm512_store_si512(sums[row][2], sum##row##2);  \
    _mm512_store_si512(sums[row][3], sum##row##3);  \
  }

/** @param rows a compile-time constant, so that the loops unroll. */
INLINE void multiply_codes(const int rows, const uint8_t *codes, size_t k, const int8_t *weights, Sums sums) {
  EACH_ROW(BEGIN)
  for (size_t i = 0; i < k; i += group_inputs, weights += panel_outputs * group_inputs) {
    __m512i w0 = _mm512_loadu_si512(weights), w1 = _mm512_loadu_si512(weights + 64);
    __m512i w2 = _mm512_loadu_si512(weights + 128), w3 = _mm512_loadu_si512(weights + 192);
    EACH_ROW(STEP)
  }
  EACH_ROW(KEEP)
}

#define TILE(rows) \
  static void tile_of_##rows(const uint8_t *codes, size_t k, const int8_t *weights, Sums sums) { multiply_codes(rows, codes, k, weights, sums); }
TILE(1) TILE(2) TILE(3) TILE(4) TILE(5) TILE(6)

static void (*const tiles[tile_rows + 1])(const uint8_t *, size_t, const int8_t *, Sums) = {NULL, tile_of_1, tile_of_2, tile_of_3, tile_of_4, tile_of_5, tile_of_6};

/** Sums of products -> outputs: zero point, scale, bias, GELU. */
static void finish_tile(const Layer *layer, size_t first, Sums sums, const float *units, size_t rows, float *y) {
  __m512i zero = _mm512_set1_epi32(layer->after_gelu ? gelu_zero : plain_zero);
  for (size_t vector = 0, at = first; vector < tile_vectors && at < layer->n; vector++, at += lanes) {
    __mmask16 mask = first_lanes(layer->n - at);
    __m512 scale = _mm512_maskz_loadu_ps(mask, layer->scales + at);
    __m512 bias = _mm512_maskz_loadu_ps(mask, layer->bias + at);
    __m512i offset = _mm512_mullo_epi32(_mm512_loadu_si512(layer->sums + at), zero);
    for (size_t row = 0; row < rows; row++) {
      __m512 product = _mm512_cvtepi32_ps(_mm512_sub_epi32(_mm512_load_si512(sums[row][vector]), offset));
      __m512 value = _mm512_fmadd_ps(_mm512_mul_ps(product, _mm512_set1_ps(units[row])), scale, bias);
      _mm512_mask_storeu_ps(y + row * layer->n + at, mask, layer->ends_in_gelu ? gelu_of(value) : value);
    }
  }
}

static void multiply_panel(const Layer *layer, size_t panel, const uint8_t *codes, const float *units, size_t rows, float *y) {
  const int8_t *weights = layer->weights + panel * panel_outputs * layer->k;
  Sums sums;
  for (size_t row = 0; row < rows; row += tile_rows) {
    size_t some = rows - row < tile_rows ? rows - row : tile_rows;
    tiles[some](codes + row * layer->k, layer->k, weights, sums);
    finish_tile(layer, panel * panel_outputs, sums, units + row, some, y + row * layer->n);
  }
}

const LinearKernel x86_linear = {quantize_row, multiply_panel};
