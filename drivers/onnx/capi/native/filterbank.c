/** Log-mel features: checks what JavaScript passed, then calls the kernel. */
#include <math.h>

#include "kernels/choice.h"
#include "runtime.h"

/** Numbers at the beginning of a plan. */
enum { of_points, of_frame_samples, of_hop_samples, of_mels, of_weights, of_offset, of_pre_emphasis, of_energy_min, of_log_factor, head_numbers };
/** No filterbank has more. */
enum { mels_max = 512, weights_max = 1 << 20, hop_max = 1 << 20 };

/** @return the number at a place of the plan if it is whole and within bounds, else -1 */
static int64_t whole(const double *plan, int place, int64_t least, int64_t most) {
  double value = plan[place];
  return value >= (double)least && value <= (double)most && value == floor(value) ? (int64_t)value : -1;
}

/** A power of two times powers of five. The kernel transforms half as many complex numbers, and joins them in pairs. */
static int is_transformed(int64_t points) {
  if (points < 4 || points % 4) return 0;
  while (points % 5 == 0) points /= 5;
  return (points & (points - 1)) == 0;
}

/** @param first_bin, offset [mels], [mels + 1]: written @return 0, or -1 where a filter would reach beside the spectrum or the weights */
static int read_filters(const double *from, FilterbankArgs *args, int64_t weights, int32_t *first_bin, int32_t *offset) {
  int64_t mels = (int64_t)args->mels, bins = (int64_t)args->points / 2 + 1;
  if (whole(from, (int)mels, 0, 0)) return -1;
  for (int64_t mel = 0; mel < mels; mel++) {
    int64_t first = whole(from, (int)mel, 0, bins - 1), begin = whole(from + mels, (int)mel, 0, weights), end = whole(from + mels, (int)mel + 1, 0, weights);
    if (first < 0 || begin < 0 || end < begin || end - begin > bins - first) return -1;
    first_bin[mel] = (int32_t)first, offset[mel] = (int32_t)begin, offset[mel + 1] = (int32_t)end;
  }
  args->first_bin = first_bin, args->offset = offset;
  return 0;
}

/** @return 0 or -1 */
static int read_plan(const double *plan, int64_t numbers, FilterbankArgs *args, int32_t *first_bin, int32_t *offset) {
  if (numbers < head_numbers) return fail("a filterbank's plan of %lld numbers", (long long)numbers);
  int64_t points = whole(plan, of_points, 4, filterbank_points_max), frame = whole(plan, of_frame_samples, 2, points), hop = whole(plan, of_hop_samples, 1, hop_max);
  int64_t mels = whole(plan, of_mels, 1, mels_max), weights = whole(plan, of_weights, 0, weights_max);
  if (frame < 0 || frame % 2 || hop < 0 || mels < 0 || weights < 0 || !is_transformed(points)) return fail("sizes of a filterbank that can't be");
  if (numbers != head_numbers + frame + 2 * points + mels + mels + mels + 1 + weights) return fail("a filterbank's plan of %lld numbers for its sizes", (long long)numbers);
  *args = (FilterbankArgs){.points = (size_t)points, .frame_samples = (size_t)frame, .hop_samples = (size_t)hop, .mels = (size_t)mels, .removes_offset = plan[of_offset] != 0,
                           .pre_emphasis = plan[of_pre_emphasis], .energy_min = plan[of_energy_min], .log_factor = plan[of_log_factor], .window = plan + head_numbers};
  if (!isnormal(args->energy_min) || args->energy_min < 0) return fail("the least energy of a filterbank is %g", args->energy_min);
  args->turns = args->window + frame;
  args->noise = args->turns + 2 * points;
  args->weights = args->noise + mels + mels + mels + 1;
  return read_filters(args->noise + mels, args, weights, first_bin, offset) ? fail("a filter of a filterbank is not within the spectrum") : 0;
}

EXPORTED int32_t earshot_ort_filterbank(const char *level, const uint8_t *plan, int64_t numbers, const uint8_t *samples, int64_t sample_count, int64_t frames, uint8_t *out, int64_t values) {
  FilterbankArgs args;
  int32_t first_bin[mels_max], offset[mels_max + 1];
  int at = level_named(level);
  const Kernels *kernels = at < 0 ? NULL : kernels_of(at);
  if (!kernels || !kernels->filterbank) return fail("this processor has no filterbank at the level %.40s", level);
  if (read_plan((const double *)(const void *)plan, numbers, &args, first_bin, offset)) return -1;
  if (frames < 0 || frames > values / (int64_t)args.mels) return fail("%lld frames do not fit into %lld values", (long long)frames, (long long)values);
  if (frames == 0) return 0;
  if (sample_count < (int64_t)args.frame_samples || (sample_count - (int64_t)args.frame_samples) / (int64_t)args.hop_samples < frames - 1)
    return fail("%lld samples are less than %lld frames", (long long)sample_count, (long long)frames);
  args.samples = (const float *)(const void *)samples;
  args.count = (size_t)frames;
  args.out = (float *)(void *)out;
  kernels->filterbank(&args);
  return 0;
}
