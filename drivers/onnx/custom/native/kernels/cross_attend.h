/**
 * A decoder's look at the sound: a few queries of one head that share its keys and values, which are much and lie far away. They are read once for up to six
 * queries, in the order they lie in. All in float.
 */
#ifndef EARSHOT_CROSS_ATTEND_H
#define EARSHOT_CROSS_ATTEND_H

#include <stddef.h>

/** One head of one sound. */
typedef struct {
  const float *queries; /* [count] rows of 64 floats, so many floats apart; scaled */
  size_t count;
  size_t stride;
  const float *keys;   /* [64, S] */
  const float *values; /* [S, 64] */
  const float *bias;   /* [S], added to the scores */
  size_t positions;    /* S */
  size_t seen;         /* of them; those behind have no weight */
  float *out;          /* as queries */
  float *weights;      /* [rows, length] times S floats, rows so many floats apart; NULL: nobody asks */
  size_t length;       /* queries of a row */
  size_t row_weights;
} Look;

/** @return 0, or -1: out of memory */
int cross_attend(const Look *look);

#endif
