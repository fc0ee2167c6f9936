/**
 * A decoder's attention to what was said: a row goes on from what its parent said, which is copied to where the row's own will stand, and looked at while it
 * is at hand. One head of one row. All in float.
 */
#ifndef EARSHOT_SELF_ATTEND_H
#define EARSHOT_SELF_ATTEND_H

#include <stddef.h>

typedef struct {
  const float *queries; /* [count] rows of 64 floats, so many floats apart; as keys and values */
  const float *keys;
  const float *values;
  size_t count;
  size_t stride;
  const float *past_keys; /* [past, 64], as past_values */
  const float *past_values;
  size_t past;
  float *present_keys; /* [past + count, 64], as present_values */
  float *present_values;
  float *out; /* [count] rows of 64 floats, so many floats apart */
  size_t out_stride;
} Said;

/** Query i sees what is past, and what came with it up to i. @return 0, or -1: out of memory */
int self_attend(const Said *said);

#endif
