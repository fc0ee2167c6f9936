/**
 * Linear layers of 8-bit weights: a tile of sums stays in registers through product, scaling, bias and GELU. The product itself, and how codes are stored for it,
 * is in a header per kind of processor: `row_bytes`, `code_shift`, `store_codes`, `complete_row`, `tile_rows` and `multiply_tile`.
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

static void quantize_row(const float *x, size_t k, int after_gelu, uint8_t *codes, float *unit) {
  Vector peaks = v_all(0);
  int has_nan = 0;
  for (size_t i = 0; i < k; i += lanes) {
    Vector values = v_load_first(x + i, k - i);
    peaks = v_max(peaks, after_gelu ? values : v_abs(values));
    has_nan |= v_has_nan(values);
  }
  float peak = v_largest(peaks);
  int zero = after_gelu ? gelu_zero : plain_zero;
  float least = after_gelu ? gelu_depth / gelu_zero * (code_max - gelu_zero) : 0;
  if (peak < least) peak = least;
  *unit = has_nan ? NAN : peak / (float)(code_max - zero);
  Vector factor = v_all(peak > 0 ? (float)(code_max - zero) / peak : 0);
  for (size_t i = 0; i < k; i += lanes) store_codes(codes + i, v_mul(v_load_first(x + i, k - i), factor), zero, k - i);
  complete_row(codes, k, after_gelu);
}

/** Sums of products -> outputs: zero point, scale, bias, GELU. */
static void finish_tile(const Layer *layer, size_t first, Sums sums, const float *units, size_t rows, float *y) {
  int32_t zero = (layer->after_gelu ? gelu_zero : plain_zero) - code_shift(layer->after_gelu);
  for (size_t column = 0; column < panel_outputs && first + column < layer->n; column += lanes) {
    size_t at = first + column, left = layer->n - at;
    Vector scale = v_load_first(layer->scales + at, left), bias = v_load_first(layer->bias + at, left);
    Integers weights = i_load(layer->sums + at);
    for (size_t row = 0; row < rows; row++) {
      Vector product = i_to_float(i_minus_product(i_load(sums[row] + column), weights, zero));
      Vector value = v_plus_product(bias, v_mul(product, v_all(units[row])), scale);
      v_store_first(y + row * layer->n + at, layer->ends_in_gelu ? gelu_of(value) : value, left);
    }
  }
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
