/** Searches rows of scores where the library left them: a score matrix of tens of megabytes is not copied for one token of each row. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "likeliest.h"
#include "runtime.h"

/** The floats of a tensor. @param copied those of a device, to be freed; else NULL. @return NULL, and the reason is kept, where it is none of floats or has fewer than `wanted` */
static const float *floats_of(Runtime *runtime, Ort *value, size_t wanted, float **copied) {
  Ort *info = NULL;
  if (check(runtime, API(runtime, ort_tensor_type_and_shape, Ort *, Ort **)(value, &info))) return NULL;
  int type = 0;
  size_t count = 0;
  int failed = check(runtime, API(runtime, ort_element_type, Ort *, int *)(info, &type)) || check(runtime, API(runtime, ort_element_count, Ort *, size_t *)(info, &count));
  RELEASE(runtime, ort_release_tensor_info, info);
  if (!failed && type != ort_type_float) failed = fail("a tensor of type %d, not of floats", type);
  if (!failed && count < wanted) failed = fail("rows to %zu of a tensor of %zu values", wanted, count);
  void *data = NULL;
  if (failed || check(runtime, API(runtime, ort_tensor_data, Ort *, void **)(value, &data))) return NULL;
  int on_device = is_on_device(runtime, value);
  if (on_device == 0) return data;
  size_t bytes = wanted * sizeof **copied;
  if (on_device > 0 && !(*copied = malloc(bytes ? bytes : 1))) fail("out of memory");
  if (!*copied) return NULL;
  return copy_values(runtime, value, *copied, bytes) ? NULL : *copied;
}

EXPORTED int32_t earshot_ort_likeliest(int64_t handle, int64_t tensor, int64_t width, int64_t first, int64_t count, int64_t most, int64_t unsummed, uint8_t *into) {
  if (most < 1 || most > EARSHOT_ORT_LIKELIEST_MAX || most > width) return fail("the %lld likeliest of %lld", (long long)most, (long long)width);
  if (width < 1 || first < 0 || count < 0 || width > INT32_MAX || first > INT32_MAX || count > INT32_MAX)
    return fail("rows %lld to %lld of %lld values", (long long)first, (long long)(first + count), (long long)width);
  size_t each = (size_t)width, rows = (size_t)count, few = (size_t)most;
  float *copied = NULL;
  const float *scores = floats_of(runtime_of(handle), (Ort *)(intptr_t)tensor, ((size_t)first + rows) * each, &copied);
  if (!scores) return free(copied), -1;
  scores += (size_t)first * each;
  for (size_t row = 0; row < rows; row++, scores += each) {
    Likeliest best[EARSHOT_ORT_LIKELIEST_MAX];
    if (few == 1) best[0] = likeliest_of(scores, each);
    else likeliest_few(scores, each, best, few);
    int is_summed = unsummed == EARSHOT_ORT_ALL_SUMMED || (unsummed != EARSHOT_ORT_NONE_SUMMED && (int64_t)best[0].at != unsummed);
    float sum = is_summed ? log_sum_of(scores, each, best[0].score) : 0;
    for (size_t i = 0; i < few; i++) {
      int32_t token = (int32_t)best[i].at;
      memcpy(into + (row * few + i) * 4, &token, 4);
      memcpy(into + ((rows + row) * few + i) * 4, &best[i].score, 4);
    }
    memcpy(into + (2 * rows * few + row) * 4, &sum, 4);
  }
  int finite = rows == 0 || (isfinite(scores[-(ptrdiff_t)(rows * each)]) && isfinite(scores[-1]));
  free(copied);
  return finite ? 0 : EARSHOT_ORT_NOT_FINITE;
}
