/**
 * The likeliest of a row of scores, and the logarithm of the sum of their exponentials. Vocabularies have up to 40,000 tokens, and a second of audio has 25 rows,
 * so this is written with gcc's vectors, which become instructions of the architecture's baseline.
 */
#include "likeliest.h"

#include <math.h>
#include <string.h>

typedef float Floats __attribute__((vector_size(16)));
typedef int32_t Ints __attribute__((vector_size(16)));

enum { lanes = 4, at_once = 4 * lanes, block = 64 * at_once };

static inline Floats load(const float *from) {
  Floats values;
  memcpy(&values, from, sizeof values);
  return values;
}

static inline Floats all(float value) { return (Floats){value, value, value, value}; }

/** `a` where it is higher; NaN is not. */
static inline Floats higher(Floats a, Floats b) {
  Ints mask = a > b;
  return (Floats)(((Ints)a & mask) | ((Ints)b & ~mask));
}

/** The highest of a block, -inf where there is none. */
static float highest_of(const float *scores, size_t count) {
  Floats most[4] = {all(-INFINITY), all(-INFINITY), all(-INFINITY), all(-INFINITY)};
  size_t i = 0;
  for (; i + at_once <= count; i += at_once) {
    most[0] = higher(load(scores + i), most[0]);
    most[1] = higher(load(scores + i + lanes), most[1]);
    most[2] = higher(load(scores + i + 2 * lanes), most[2]);
    most[3] = higher(load(scores + i + 3 * lanes), most[3]);
  }
  Floats one = higher(higher(most[0], most[1]), higher(most[2], most[3]));
  float highest = -INFINITY;
  for (int lane = 0; lane < lanes; lane++) highest = one[lane] > highest ? one[lane] : highest;
  for (; i < count; i++) highest = scores[i] > highest ? scores[i] : highest;
  return highest;
}

Likeliest likeliest_of(const float *scores, size_t count) {
  Likeliest best = {-INFINITY, 0};
  for (size_t from = 0; from < count; from += block) {
    float most = highest_of(scores + from, count - from < block ? count - from : block);
    if (most > best.score) best = (Likeliest){most, from};
  }
  if (best.score > -INFINITY)
    while (scores[best.at] != best.score) best.at++;
  return best;
}

/** Puts a score among those that are known, behind equal ones. */
static void insert(Likeliest *best, size_t known, Likeliest next) {
  size_t place = known;
  for (; place > 0 && next.score > best[place - 1].score; place--) best[place] = best[place - 1];
  best[place] = next;
}

void likeliest_few(const float *scores, size_t count, Likeliest *best, size_t most) {
  enum { part = 8 * at_once };
  size_t known = 0;
  for (size_t from = 0; from < count; from += part) {
    size_t end = count - from < part ? count : from + part;
    if (known == most && !(highest_of(scores + from, end - from) > best[most - 1].score)) continue;
    for (size_t i = from; i < end; i++) {
      Likeliest next = {scores[i], i};
      if (known < most && next.score == next.score) insert(best, known++, next);
      else if (known == most && next.score > best[most - 1].score) insert(best, most - 1, next);
    }
  }
  for (; known < most; known++) best[known] = (Likeliest){-INFINITY, 0};
}

void likeliest_among(const float *scores, size_t count, size_t place, Likeliest *best, size_t most) {
  enum { part = 2 * at_once }; /* few scores are looked at one by one */
  Likeliest *last = best + most - 1;
  for (size_t from = 0; from < count; from += part) {
    size_t end = count - from < part ? count : from + part;
    if (!(highest_of(scores + from, end - from) > last->score)) continue;
    for (size_t i = from; i < end; i++)
      if (scores[i] > last->score) insert(best, most - 1, (Likeliest){scores[i], place + i});
  }
}

/** exp(x) for x <= 0, relative error 3e-7: 2^n times a polynomial of the remainder, as kernels/simd/vectors.h has it. */
static inline Floats exp_of(Floats x) {
  x = higher(x, all(-87.0f));
  Ints n = __builtin_convertvector(x * all(1.44269504f) - all(0.5f), Ints); /* towards 0, and x <= 0: the nearest */
  Floats whole = __builtin_convertvector(n, Floats);
  Floats rest = x - whole * all(0.693359375f) + whole * all(2.12194440e-4f); /* ln 2 in two parts */
  Floats sum = all(1.0f / 720);
  sum = sum * rest + all(1.0f / 120);
  sum = sum * rest + all(1.0f / 24);
  sum = sum * rest + all(1.0f / 6);
  sum = sum * rest + all(0.5f);
  sum = sum * rest + all(1);
  sum = sum * rest + all(1);
  return sum * (Floats)((n + 127) << 23);
}

/** Of a block: in single precision, a block's sum loses nothing that counts. */
static double sum_of(const float *scores, size_t count, float highest) {
  Floats sums[2] = {all(0), all(0)};
  size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    sums[0] += exp_of(load(scores + i) - all(highest));
    sums[1] += exp_of(load(scores + i + lanes) - all(highest));
  }
  Floats one = sums[0] + sums[1];
  double sum = 0;
  for (int lane = 0; lane < lanes; lane++) sum += one[lane];
  for (; i < count; i++) sum += exp_of(all(scores[i] - highest))[0];
  return sum;
}

float log_sum_of(const float *scores, size_t count, float highest) {
  double sum = 0;
  for (size_t from = 0; from < count; from += block) sum += sum_of(scores + from, count - from < block ? count - from : block, highest);
  return (float)(highest + log(sum));
}
