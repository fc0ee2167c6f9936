/** Swoosh, an activation of Zipformer. */
#include "kernels/kernels.h"
#include "vectors.h"

/** log(1 + u) of u in [0, 1], to 1e-7 of it: 2 artanh(u / (2 + u)) as a series. */
INLINE Vector log_after_one(Vector u) {
  Vector s = v_div(u, v_add(u, v_all(2)));
  Vector square = v_mul(s, s);
  Vector sum = v_all(2.0f / 15);
  sum = v_plus_product(v_all(2.0f / 13), sum, square);
  sum = v_plus_product(v_all(2.0f / 11), sum, square);
  sum = v_plus_product(v_all(2.0f / 9), sum, square);
  sum = v_plus_product(v_all(2.0f / 7), sum, square);
  sum = v_plus_product(v_all(2.0f / 5), sum, square);
  sum = v_plus_product(v_all(2.0f / 3), sum, square);
  sum = v_plus_product(v_all(2), sum, square);
  return v_mul(s, sum);
}

void KERNEL(swoosh)(const SwooshArgs *args) {
  Vector shift = v_all(args->shift), slope = v_all(swoosh_slope), offset = v_all(args->offset);
  for (size_t i = 0; i < args->count; i += lanes) {
    size_t left = args->count - i;
    Vector x = v_load_first(args->x + i, left);
    Vector moved = v_sub(x, shift);
    Vector small = v_sub(v_all(0), v_abs(moved));
    Vector above = v_max(v_all(0), moved); /* NaN stays NaN */
    Vector soft = v_add(above, log_after_one(exp_of(small)));
    v_store_first(args->y + i, v_sub(v_minus_product(soft, x, slope), offset), left);
  }
}
