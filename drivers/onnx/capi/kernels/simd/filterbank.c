/**
 * Log-mel energies of frames, in 64 bits, as runtime/features/filterbank.ts defines them: every value is a vector of `together` frames, so that the transform needs no
 * shuffling, and a frame's result depends on none beside it.
 */
#include "kernels/kernels.h"
#include "vectors.h"

#include <string.h>

#if defined __AVX512F__
enum { together = 8 };
#elif defined __AVX2__
enum { together = 4 };
#else
enum { together = 2 };
#endif
typedef double Many __attribute__((vector_size(8 * together)));
typedef int64_t Bits __attribute__((vector_size(8 * together)));
typedef float Floats __attribute__((vector_size(4 * together)));
typedef int32_t Places __attribute__((vector_size(4 * together)));

enum { half_max = filterbank_points_max / 2 };

/** Real and imaginary parts of the packed samples: even ones, odd ones. */
typedef struct {
  Many re;
  Many im;
} Complex;

INLINE Many all(double value) { return value - (Many){0}; }

/** exp(-2 pi i k / points) */
typedef struct {
  double re;
  double im;
} Turn;

INLINE Turn turn_of(const FilterbankArgs *args, size_t k) { return (Turn){args->turns[2 * k], -args->turns[2 * k + 1]}; }

/** One value after the other of two vectors: of their first halves, or of their second ones. */
INLINE Floats interleaved(Floats one, Floats other, int half) {
  Places from;
  for (int i = 0; i < together; i++) from[i] = half * together / 2 + i / 2 + i % 2 * together;
  return __builtin_shuffle(one, other, from);
}

/** The samples from `i` to `i + together` of the frames, one vector for each. */
INLINE void turn_block(const float *const *frames, size_t i, Many *into) {
  Floats rows[together], next[together];
  for (int row = 0; row < together; row++) memcpy(&rows[row], frames[row] + i, sizeof rows[row]);
  for (int step = 1; step < together; step *= 2) {
    for (int row = 0; row < together; row++) next[row] = interleaved(rows[row / 2], rows[row / 2 + together / 2], row % 2);
    for (int row = 0; row < together; row++) rows[row] = next[row];
  }
  for (int row = 0; row < together; row++) into[row] = __builtin_convertvector(rows[row], Many);
}

/** @param frames the frames' samples @param raw room for a frame's */
static void load(const FilterbankArgs *args, const float *const *frames, Many *raw, Complex *into) {
  size_t count = args->frame_samples, i = 0;
  for (; i + together <= count; i += together) turn_block(frames, i, raw + i);
  for (; i < count; i++)
    for (int lane = 0; lane < together; lane++) raw[i][lane] = (double)frames[lane][i];
  Many sums[2] = {{0}}, mean = {0};
  if (args->removes_offset) {
    for (i = 0; i < count; i += 2) sums[0] += raw[i], sums[1] += raw[i + 1];
    mean = (sums[0] + sums[1]) / (double)count;
  }
  Many before = raw[0] - mean;
  for (i = 0; i < count; i += 2) {
    Many even = raw[i] - mean, odd = raw[i + 1] - mean;
    into[i / 2].re = (even - args->pre_emphasis * before) * args->window[i];
    into[i / 2].im = (odd - args->pre_emphasis * even) * args->window[i + 1];
    before = odd;
  }
  for (i = count / 2; i < args->points / 2; i++) into[i].re = into[i].im = (Many){0};
}

INLINE void store_turned(Complex *y, size_t at, Turn turn, Many re, Many im) {
  y[at].re = re * turn.re - im * turn.im;
  y[at].im = re * turn.im + im * turn.re;
}

/** One pass of Stockham's FFT: butterflies `count` apart in x, `stride` apart in y. @param step of the turns */
static void pass_of_4(const FilterbankArgs *args, const Complex *x, Complex *y, size_t stride, size_t count, size_t step) {
  for (size_t p = 0; p < count; p++) {
    Turn w1 = turn_of(args, p * step), w2 = turn_of(args, 2 * p * step), w3 = turn_of(args, 3 * p * step);
    for (size_t q = 0; q < stride; q++) {
      size_t a = q + stride * p, b = a + stride * count, c = b + stride * count, d = c + stride * count, o = q + stride * 4 * p;
      Many t0r = x[a].re + x[c].re, t0i = x[a].im + x[c].im, t1r = x[a].re - x[c].re, t1i = x[a].im - x[c].im;
      Many t2r = x[b].re + x[d].re, t2i = x[b].im + x[d].im, t3r = x[b].im - x[d].im, t3i = x[d].re - x[b].re;
      y[o].re = t0r + t2r;
      y[o].im = t0i + t2i;
      store_turned(y, o + stride, w1, t1r + t3r, t1i + t3i);
      store_turned(y, o + 2 * stride, w2, t0r - t2r, t0i - t2i);
      store_turned(y, o + 3 * stride, w3, t1r - t3r, t1i - t3i);
    }
  }
}

static void pass_of_5(const FilterbankArgs *args, const Complex *x, Complex *y, size_t stride, size_t count, size_t step) {
  const double cos72 = 0.30901699437494742410, sin72 = 0.95105651629515357212, cos144 = -0.80901699437494742410, sin144 = 0.58778525229247312917;
  for (size_t p = 0; p < count; p++) {
    Turn w1 = turn_of(args, p * step), w2 = turn_of(args, 2 * p * step), w3 = turn_of(args, 3 * p * step), w4 = turn_of(args, 4 * p * step);
    for (size_t q = 0; q < stride; q++) {
      size_t a = q + stride * p, b = a + stride * count, c = b + stride * count, d = c + stride * count, e = d + stride * count, o = q + stride * 5 * p;
      Many t1r = x[b].re + x[e].re, t1i = x[b].im + x[e].im, t2r = x[c].re + x[d].re, t2i = x[c].im + x[d].im;
      Many t3r = x[b].re - x[e].re, t3i = x[b].im - x[e].im, t4r = x[c].re - x[d].re, t4i = x[c].im - x[d].im;
      Many m1r = x[a].re + cos72 * t1r + cos144 * t2r, m1i = x[a].im + cos72 * t1i + cos144 * t2i;
      Many m2r = x[a].re + cos144 * t1r + cos72 * t2r, m2i = x[a].im + cos144 * t1i + cos72 * t2i;
      Many n1r = sin72 * t3r + sin144 * t4r, n1i = sin72 * t3i + sin144 * t4i;
      Many n2r = sin144 * t3r - sin72 * t4r, n2i = sin144 * t3i - sin72 * t4i;
      y[o].re = x[a].re + t1r + t2r;
      y[o].im = x[a].im + t1i + t2i;
      store_turned(y, o + stride, w1, m1r + n1i, m1i - n1r);
      store_turned(y, o + 2 * stride, w2, m2r + n2i, m2i - n2r);
      store_turned(y, o + 3 * stride, w3, m2r - n2i, m2i + n2r);
      store_turned(y, o + 4 * stride, w4, m1r - n1i, m1i + n1r);
    }
  }
}

/** The last pass: one butterfly per stride, so no turns. */
static void pass_of_2(const Complex *x, Complex *y, size_t stride) {
  for (size_t q = 0; q < stride; q++) {
    y[q].re = x[q].re + x[q + stride].re;
    y[q].im = x[q].im + x[q + stride].im;
    y[q + stride].re = x[q].re - x[q + stride].re;
    y[q + stride].im = x[q].im - x[q + stride].im;
  }
}

/** @return where the transform of x is: in x or in y */
static const Complex *transform(const FilterbankArgs *args, Complex *x, Complex *y) {
  size_t left = args->points / 2, stride = 1;
  while (left > 1) {
    size_t radix = left % 5 == 0 ? 5 : left % 4 == 0 ? 4 : 2;
    left /= radix;
    if (radix == 5) pass_of_5(args, x, y, stride, left, 2 * stride);
    else if (radix == 4) pass_of_4(args, x, y, stride, left, 2 * stride);
    else pass_of_2(x, y, stride);
    stride *= radix;
    Complex *other = x;
    x = y, y = other;
  }
  return x;
}

/** Power spectrum of the samples from the transform of the packed ones: bins k and half - k together. */
static void powers(const FilterbankArgs *args, const Complex *z, Many *power) {
  size_t half = args->points / 2;
  Many sum = z[0].re + z[0].im, rest = z[0].re - z[0].im;
  power[0] = sum * sum;
  power[half] = rest * rest;
  for (size_t k = 1; k <= half / 2; k++) {
    Turn turn = turn_of(args, k);
    Many er = z[k].re + z[half - k].re, ei = z[k].im - z[half - k].im; /* twice the even part */
    Many or = z[k].im + z[half - k].im, oi = z[half - k].re - z[k].re; /* twice the odd part */
    Many tr = or * turn.re - oi * turn.im, ti = oi * turn.re + or * turn.im;
    power[k] = 0.25 * ((er + tr) * (er + tr) + (ei + ti) * (ei + ti));
    power[half - k] = 0.25 * ((er - tr) * (er - tr) + (ei - ti) * (ei - ti));
  }
}

/** The natural logarithm of x > 0, to 1e-15; NaN where x is not finite: 2^n m with m about 1, and 2 artanh((m - 1) / (m + 1)) as a series. */
INLINE Many log_of(Many x) {
  const int64_t low = 0x3fe6a09e667f3bcd; /* sqrt(1/2) */
  Bits n = ((Bits)x - low) >> 52;
  Many m = (Many)((Bits)x - (n << 52));
  /* an integer of few bits as a number: added to the last bits of 1.5 * 2^52 */
  Many exponent = (Many)(n + 0x4338000000000000) - 6755399441055744.0;
  Many s = (m - 1) / (m + 1), square = s * s;
  Many sum = all(2.0 / 21);
  sum = sum * square + 2.0 / 19;
  sum = sum * square + 2.0 / 17;
  sum = sum * square + 2.0 / 15;
  sum = sum * square + 2.0 / 13;
  sum = sum * square + 2.0 / 11;
  sum = sum * square + 2.0 / 9;
  sum = sum * square + 2.0 / 7;
  sum = sum * square + 2.0 / 5;
  sum = sum * square + 2.0 / 3;
  sum = sum * square + 2.0;
  return exponent * 0.69314718055994530942 + s * sum + (x - x);
}

/** @param frames how many of the vectors' are wanted */
static void energies(const FilterbankArgs *args, const Many *power, size_t frames, float *out) {
  for (size_t mel = 0; mel < args->mels; mel++) {
    Many energy = all(args->noise[mel]);
    const double *weights = args->weights + args->offset[mel];
    const Many *bins = power + args->first_bin[mel];
    for (int32_t i = 0, count = args->offset[mel + 1] - args->offset[mel]; i < count; i++) energy += weights[i] * bins[i];
    Bits is_low = energy < args->energy_min; /* not where it is NaN */
    energy = (Many)(((Bits)energy & ~is_low) | ((Bits)all(args->energy_min) & is_low));
    Many value = log_of(energy) * args->log_factor;
    for (size_t i = 0; i < frames; i++) out[i * args->mels + mel] = (float)value[i];
  }
}

void KERNEL(filterbank)(const FilterbankArgs *args) {
  Complex one[half_max], other[half_max];
  Many raw[filterbank_points_max], power[half_max + 1];
  for (size_t first = 0; first < args->count; first += together) {
    size_t wanted = smaller(together, args->count - first);
    const float *frames[together];
    /* what is missing of a vector is its last frame again */
    for (size_t i = 0; i < together; i++) frames[i] = args->samples + (first + smaller(i, wanted - 1)) * args->hop_samples;
    load(args, frames, raw, one);
    powers(args, transform(args, one, other), power);
    energies(args, power, wanted, args->out + first * args->mels);
  }
}
