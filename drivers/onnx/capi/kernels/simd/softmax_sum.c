/** The sum of a softmax over a vocabulary, piece by piece. */
#include "kernels/kernels.h"
#include "vectors.h"

static float add_bias(float *scores, const float *bias, size_t count) {
  Vector peaks = v_all(-INFINITY);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    Vector biased = v_add(v_load(scores + i), v_load(bias + i));
    v_store(scores + i, biased);
    peaks = v_max(peaks, biased);
  }
  float peak = v_largest(peaks);
  for (; i < count; i++)
    if ((scores[i] += bias[i]) > peak) peak = scores[i];
  return peak;
}

INLINE float sum_of_exponentials(const float *scores, size_t count, float highest) {
  Vector peak = v_all(highest), sum = v_all(0);
  for (size_t i = 0; i < count; i += lanes) {
    size_t left = count - i;
    Vector values = exp_of(v_sub(v_load_first(scores + i, left), peak));
    sum = v_add(sum, left < lanes ? v_keep_first(values, left) : values);
  }
  return v_sum(sum);
}

static void add_exponentials(SoftmaxSum *all, const float *scores, size_t count, float peak) {
  if (peak > all->highest) {
    all->sum *= expf(all->highest - peak); /* 0 before the first piece */
    all->highest = peak;
  }
  if (all->highest > -INFINITY) all->sum += sum_of_exponentials(scores, count, all->highest);
}

const SoftmaxKernel KERNEL(softmax_sum) = {add_bias, add_exponentials};
