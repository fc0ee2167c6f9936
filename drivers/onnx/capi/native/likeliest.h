/** The likeliest of a row of scores; knows nothing of ONNX Runtime. */
#ifndef EARSHOT_LIKELIEST_H
#define EARSHOT_LIKELIEST_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  float score;
  size_t at; /* the first place with this score; 0 where no score is larger than -inf */
} Likeliest;

/** NaN is never the highest. */
Likeliest likeliest_of(const float *scores, size_t count);

/**
 * Puts the scores among the `most` highest of others, best first; of equal scores the first. NaN and -inf are none of them.
 * @param best the `most` highest so far: place 0 with -inf where there are fewer
 * @param place of the first score
 */
void likeliest_among(const float *scores, size_t count, size_t place, Likeliest *best, size_t most);

/** The `most` highest, best first; of equal scores the first. Where there are fewer, the rest is place 0 with -inf. NaN is none of them. */
void likeliest_few(const float *scores, size_t count, Likeliest *best, size_t most);

/** Natural logarithm of the sum of exp(score), within 1e-5. @param highest of the scores. */
float log_sum_of(const float *scores, size_t count, float highest);

#endif
