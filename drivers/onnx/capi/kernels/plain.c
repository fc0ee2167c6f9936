#include "plain.h"

#include <math.h>
#include <string.h>

enum { code_max = 255, plain_zero = 128, gelu_zero = 32 };
static const float gelu_depth = 0.17f;

static double gelu(double x) { return 0.5 * x * (1 + erf(x / sqrt(2))); }

/** @return the weight of input `i` for an output */
static int weight_of(const Layer *layer, size_t output, size_t i) {
  size_t group = (output / panel_outputs * (layer->k / group_inputs) + i / group_inputs) * panel_outputs + output % panel_outputs;
  return layer->weights[group * group_inputs + i % group_inputs];
}

/** Quantizes as the kernels do, in float: the same codes, so the same sums. */
void plain_linear(const Layer *layer, const float *x, size_t rows, float *y) {
  int zero = layer->after_gelu ? gelu_zero : plain_zero;
  for (size_t row = 0; row < rows; row++, x += layer->k, y += layer->n) {
    float peak = layer->after_gelu ? gelu_depth / gelu_zero * (code_max - gelu_zero) : 0;
    for (size_t i = 0; i < layer->k; i++) peak = fmaxf(peak, layer->after_gelu ? x[i] : fabsf(x[i]));
    float factor = peak > 0 ? (float)(code_max - zero) / peak : 0;
    for (size_t output = 0; output < layer->n; output++) {
      int64_t sum = 0;
      for (size_t i = 0; i < layer->k; i++) {
        long code = lrintf(x[i] * factor) + zero;
        code = code < 0 ? 0 : code > code_max ? code_max : code;
        sum += (code - zero) * weight_of(layer, output, i);
      }
      double value = (double)sum * (peak / (float)(code_max - zero)) * layer->scales[output] + layer->bias[output];
      y[output] = (float)(layer->ends_in_gelu ? gelu(value) : value);
    }
  }
}

/** Softmax of scores [count] in place. */
static void softmax(double *scores, size_t count) {
  double peak = -INFINITY, sum = 0;
  for (size_t i = 0; i < count; i++) peak = fmax(peak, scores[i]);
  for (size_t i = 0; i < count; i++) sum += scores[i] = exp(scores[i] - peak);
  for (size_t i = 0; i < count; i++) scores[i] /= sum;
}

/** weights [count] times values [count] rows of 64, `stride` apart */
static void mix(const double *weights, const float *values, size_t count, size_t stride, float *out) {
  for (size_t i = 0; i < head_size; i++) {
    double sum = 0;
    for (size_t position = 0; position < count; position++) sum += weights[position] * values[position * stride + i];
    out[i] = (float)sum;
  }
}

static double product(const float *a, const float *b, size_t stride) {
  double sum = 0;
  for (size_t i = 0; i < head_size; i++) sum += (double)a[i] * b[i * stride];
  return sum;
}

void plain_attention(const AttentionArgs *args) {
  double scores[args->key_count];
  for (size_t query = 0; query < args->query_count; query++) {
    for (size_t key = 0; key < args->key_count; key++) scores[key] = product(args->queries + query * args->stride, args->keys + key * args->stride, 1) / 8;
    softmax(scores, args->key_count);
    mix(scores, args->values, args->key_count, args->stride, args->out + query * args->stride);
  }
}

void plain_cross_attention(const CrossAttentionArgs *args) {
  double scores[args->seen];
  for (size_t query = 0; query < args->count; query++) {
    for (size_t key = 0; key < args->seen; key++) scores[key] = product(args->queries + query * args->stride, args->keys + key, args->positions) + args->bias[key];
    softmax(scores, args->seen);
    mix(scores, args->values, args->seen, head_size, args->out + query * args->stride);
    if (!args->weights) continue;
    float *kept = args->weights + query / args->length * args->row_weights + query % args->length * args->positions;
    for (size_t i = 0; i < args->positions; i++) kept[i] = i < args->seen ? (float)scores[i] : 0;
  }
}

void plain_self_attention(const SelfAttentionArgs *args) {
  size_t all = args->past + args->count;
  double scores[all];
  memcpy(args->present_keys, args->past_keys, args->past * head_size * sizeof(float));
  memcpy(args->present_values, args->past_values, args->past * head_size * sizeof(float));
  for (size_t i = 0; i < args->count; i++) {
    memcpy(args->present_keys + (args->past + i) * head_size, args->keys + i * args->stride, head_size * sizeof(float));
    memcpy(args->present_values + (args->past + i) * head_size, args->values + i * args->stride, head_size * sizeof(float));
  }
  for (size_t i = 0; i < args->count; i++) {
    size_t seen = args->past + i + 1;
    for (size_t key = 0; key < seen; key++) scores[key] = product(args->queries + i * args->stride, args->present_keys + key * head_size, 1) / 8;
    softmax(scores, seen);
    mix(scores, args->present_values, seen, head_size, args->out + i * args->out_stride);
  }
}

float plain_add_bias(float *scores, const float *bias, size_t count) {
  float peak = -INFINITY;
  for (size_t i = 0; i < count; i++) peak = fmaxf(peak, scores[i] += bias[i]);
  return peak;
}

void plain_add_exponentials(SoftmaxSum *all, const float *scores, size_t count, float peak) {
  float before = all->highest;
  double sum = 0;
  all->highest = fmaxf(before, peak);
  for (size_t i = 0; i < count; i++) sum += exp((double)scores[i] - all->highest);
  all->sum = (float)(all->sum * exp((double)before - all->highest) + sum);
}

void plain_coarse_linear(const CoarseArgs *args, const int8_t *weights, float *y) {
  for (size_t row = 0; row < args->rows; row++)
    for (size_t output = 0; output < args->outputs; output++) {
      int64_t sum = 0;
      for (size_t i = 0; i < args->k; i++) {
        int weight = weights[(i / group_inputs * panel_outputs + output) * group_inputs + i % group_inputs], coarse = (int)floor((weight + 8) / 16.0);
        sum += args->codes[row * args->k + i] * (coarse > 7 ? 7 : coarse) * coarse_step;
      }
      y[row * args->stride + output] = (float)((double)sum * args->units[row] * args->scales[output] + args->bias[output]);
    }
}

/** |X[bin]|^2 of `count` samples, by definition. */
static double power_at(const double *samples, size_t count, const double *turns, size_t points, size_t bin) {
  double re = 0, im = 0;
  for (size_t i = 0, at = 0; i < count; i++, at = at + bin < points ? at + bin : at + bin - points) {
    re += samples[i] * turns[2 * at];
    im -= samples[i] * turns[2 * at + 1];
  }
  return re * re + im * im;
}

void plain_filterbank(const FilterbankArgs *args) {
  double frame[filterbank_points_max], power[filterbank_points_max / 2 + 1];
  size_t size = args->frame_samples, bins = args->points / 2 + 1;
  for (size_t i = 0; i < args->count; i++) {
    const float *samples = args->samples + i * args->hop_samples;
    double mean = 0;
    for (size_t at = 0; args->removes_offset && at < size; at++) mean += samples[at] / (double)size;
    for (size_t at = 0; at < size; at++) frame[at] = (samples[at] - mean - args->pre_emphasis * (samples[at > 0 ? at - 1 : 0] - mean)) * args->window[at];
    for (size_t bin = 0; bin < bins; bin++) power[bin] = power_at(frame, size, args->turns, args->points, bin);
    for (size_t mel = 0; mel < args->mels; mel++) {
      double energy = args->noise[mel];
      for (int32_t at = args->offset[mel]; at < args->offset[mel + 1]; at++) energy += args->weights[at] * power[args->first_bin[mel] + at - args->offset[mel]];
      args->out[i * args->mels + mel] = (float)(args->log_factor * log(energy < args->energy_min ? args->energy_min : energy));
    }
  }
}

void plain_swoosh(const SwooshArgs *args) {
  for (size_t i = 0; i < args->count; i++) {
    double x = args->x[i], moved = x - args->shift;
    args->y[i] = (float)(fmax(moved, 0) + log1p(exp(-fabs(moved))) - swoosh_slope * x - args->offset);
  }
}
