/**
 * Linear layers of 8-bit weights: a tile of sums stays in registers through product, scaling, bias and GELU. The product itself, and how codes are stored for it,
 * is in a header per kind of processor: `row_bytes`, `code_shift`, `store_codes`, `store_four_codes`, `complete_row`, `tile_rows` and `multiply_tile`.
 */
#include <math.h>
#include <string.h>

#include "kernels/kernels.h"
#include "rows.h"
#include "vectors.h"

/** Sums of a tile [tile_rows][64]. */
typedef int32_t (*Sums)[panel_outputs];

#ifdef __x86_64__
#include "kernels/x86/products.h"
#else
#include "kernels/arm/products.h"
#endif

/** Symmetric: codes 1 to 255 around 128. After a GELU, which is never below -0.17, a low zero point leaves most codes to the positive values. */
enum { code_max = 255, plain_zero = 128, gelu_zero = 32 };
static const float gelu_depth = 0.17f;

enum { four = 4 * lanes };

/** The highest value of a row, after a GELU, else the highest size; at least 0. NaN if the row has one. */
INLINE float peak_of_row(const float *x, size_t k, const int after_gelu) {
  Vector peaks = v_all(0);
  Integers bits = i_bits(peaks); /* sizes of floats, read as integers, are in the same order, and NaN is above all */
  size_t i = 0;
  for (; i + four <= k; i += four) {
    Vector a = v_load(x + i), b = v_load(x + i + lanes), c = v_load(x + i + 2 * lanes), d = v_load(x + i + 3 * lanes);
    bits = i_max(bits, i_max(i_max(i_bits(v_abs(a)), i_bits(v_abs(b))), i_max(i_bits(v_abs(c)), i_bits(v_abs(d)))));
    if (after_gelu) peaks = v_max(peaks, v_max(v_max(a, b), v_max(c, d)));
  }
  for (; i < k; i += lanes) {
    Vector values = v_load_first(x + i, k - i);
    bits = i_max(bits, i_bits(v_abs(values)));
    if (after_gelu) peaks = v_max(peaks, values);
  }
  float size = i_largest_as_float(bits);
  return after_gelu && !isnan(size) ? v_largest(peaks) : size;
}

INLINE void quantize(const float *x, size_t k, const int after_gelu, uint8_t *codes, float *unit) {
  const int zero = after_gelu ? gelu_zero : plain_zero;
  float peak = peak_of_row(x, k, after_gelu);
  float least = after_gelu ? gelu_depth / gelu_zero * (code_max - gelu_zero) : 0;
  if (peak < least) peak = least;
  *unit = peak / (float)(code_max - zero);
  Vector factor = v_all(peak > 0 ? (float)(code_max - zero) / peak : 0);
  size_t i = 0;
  for (; i + four <= k; i += four) {
    const float *at = x + i;
    store_four_codes(codes + i, v_mul(v_load(at), factor), v_mul(v_load(at + lanes), factor), v_mul(v_load(at + 2 * lanes), factor), v_mul(v_load(at + 3 * lanes), factor), zero);
  }
  for (; i < k; i += lanes) store_codes(codes + i, v_mul(v_load_first(x + i, k - i), factor), zero, k - i);
  complete_row(codes, k, after_gelu);
}

static void quantize_row(const float *x, size_t k, int after_gelu, uint8_t *codes, float *unit) {
  if (after_gelu) quantize(x, k, 1, codes, unit);
  else quantize(x, k, 0, codes, unit);
}

/** Sums of products -> outputs: zero point, scale, bias, GELU. @param whole whether the layer has all outputs of this panel; it and `gelu` are compile-time constants */
INLINE void finish(const Layer *layer, const int whole, const int gelu, size_t first, Sums sums, const float *units, size_t rows, float *y) {
  const int32_t zero = (layer->after_gelu ? gelu_zero : plain_zero) - code_shift(layer->after_gelu);
  const size_t outputs = whole ? panel_outputs : layer->n - first, n = layer->n;
  for (size_t column = 0; column < outputs; column += lanes) {
    const size_t at = first + column, left = whole ? lanes : outputs - column;
    const Vector scale = v_load_first(layer->scales + at, left), bias = v_load_first(layer->bias + at, left);
    const Integers correction = i_times(i_load(layer->sums + at), -zero);
    const int32_t *row_sums = sums[0] + column;
    float *to = y + at;
    for (size_t row = 0; row < rows; row++, row_sums += panel_outputs, to += n) {
      Vector product = i_to_float(i_add(i_load(row_sums), correction));
      Vector value = v_plus_product(bias, v_mul(product, v_all(units[row])), scale);
      v_store_first(to, gelu ? gelu_of(value) : value, left);
    }
  }
}

static void finish_tile(const Layer *layer, size_t first, Sums sums, const float *units, size_t rows, float *y) {
  if (layer->n - first < panel_outputs) {
    if (layer->ends_in_gelu) finish(layer, 0, 1, first, sums, units, rows, y);
    else finish(layer, 0, 0, first, sums, units, rows, y);
  } else if (layer->ends_in_gelu) finish(layer, 1, 1, first, sums, units, rows, y);
  else finish(layer, 1, 0, first, sums, units, rows, y);
}

static void multiply_panel(const Layer *layer, size_t panel, const uint8_t *codes, const float *units, size_t rows, float *y) {
  const int8_t *weights = layer->weights + panel * panel_outputs * layer->k;
  int32_t sums[tile_rows][panel_outputs] __attribute__((aligned(64)));
  for (size_t row = 0; row < rows; row += tile_rows) {
    size_t some = smaller(rows - row, tile_rows);
    multiply_tile(some, codes + row * row_bytes(layer->k), layer->k, layer->after_gelu, weights, sums);
    finish_tile(layer, panel * panel_outputs, sums, units + row, some, y + row * layer->n);
  }
}

const LinearKernel KERNEL(linear) = {row_bytes, quantize_row, multiply_panel};
