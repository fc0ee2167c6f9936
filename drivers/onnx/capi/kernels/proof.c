#define _GNU_SOURCE
#include "proof.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"

/** Memory behind each output that a kernel must leave as it is, in floats. */
enum { guard = 20 };
static const float guard_value = 12345;
static const float tiny = 1e-6f;
/** GELU's lowest value. Where all values before it are far below zero, all after it are nearly zero, and a rounding of the former is large beside them. */
static const float gelu_depth = 0.17f;

/** The memory of one case, released together. */
typedef struct {
  void *blocks[24];
  size_t count;
  int failed;
  uint32_t seed;
} Room;

/** From -1 to 1, the same every time (Numerical Recipes' generator). */
static float next_value(Room *room) {
  room->seed = room->seed * 1664525u + 1013904223u;
  return (float)(int32_t)room->seed / 2147483648.0f;
}

/** Exactly as long as needed, so that a sanitizer sees what is read beyond. */
static void *memory(Room *room, size_t bytes) {
  void *block = malloc(bytes + 1);
  if (!block) room->failed = 1;
  else room->blocks[room->count++] = block;
  return block;
}

static float *values(Room *room, size_t count, float scale) {
  float *made = memory(room, count * sizeof *made);
  for (size_t i = 0; made && i < count; i++) made[i] = scale * next_value(room);
  return made;
}

static float *output(Room *room, size_t count) {
  float *made = memory(room, (count + guard) * sizeof *made);
  for (size_t i = 0; made && i < count + guard; i++) made[i] = guard_value;
  return made;
}

/** @param least what the largest value counts as at least */
static float difference(const float *given, const float *expected, size_t count, float least) {
  float largest = least, off = 0;
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(given[i])) return 1;
    if (expected[i] != guard_value) largest = fmaxf(largest, fabsf(expected[i])); /* between the heads nothing is written either */
    off = fmaxf(off, fabsf(given[i] - expected[i]));
  }
  for (size_t i = count; i < count + guard; i++)
    if (given[i] != guard_value) return 1;
  return off / largest;
}

static float linear_difference(const LinearKernel *linear, const Sizes *sizes, Room *room) {
  size_t k = sizes->columns, n = sizes->outputs, rows = sizes->rows, panels = (n + panel_outputs - 1) / panel_outputs;
  int8_t *weights = memory(room, panels * panel_outputs * k);
  int32_t *sums = memory(room, panels * panel_outputs * sizeof *sums);
  float *x = values(room, rows * k, 2), *scales = values(room, n, 0.02f), *bias = values(room, n, 1), *units = output(room, rows), *y = output(room, rows * n), *expected = output(room, rows * n);
  size_t row_bytes = linear->row_bytes(k);
  uint8_t *codes = memory(room, rows * row_bytes);
  if (room->failed) return -1;
  memset(sums, 0, panels * panel_outputs * sizeof *sums);
  for (size_t i = 0; i < panels * panel_outputs * k; i++) {
    size_t output = i / (panel_outputs * k) * panel_outputs + i / group_inputs % panel_outputs;
    /* with the largest ones, as two of them beside each other saturate 16 bits */
    weights[i] = output >= n ? 0 : i % 5 < 2 ? 127 : i % 7 == 0 ? -127 : (int8_t)(127 * next_value(room));
    sums[output] += weights[i];
  }
  Layer layer = {.k = k, .n = n, .weights = weights, .sums = sums, .scales = scales, .bias = bias, .after_gelu = sizes->kind & 1, .ends_in_gelu = sizes->kind >> 1 & 1};
  for (size_t i = 0; layer.after_gelu && i < rows * k; i++) x[i] = fmaxf(x[i], -0.17f);
  for (size_t row = 0; row < rows; row++) linear->quantize_row(x + row * k, k, layer.after_gelu, codes + row * row_bytes, units + row);
  for (size_t panel = 0; panel < panels; panel++) linear->multiply_panel(&layer, panel, codes, units, rows, y);
  plain_linear(&layer, x, rows, expected);
  return difference(y, expected, rows * n, sizes->kind >> 1 & 1 ? gelu_depth : tiny);
}

static float attention_difference(int (*attention)(const AttentionArgs *), const Sizes *sizes, Room *room) {
  size_t stride = 2 * head_size, queries = sizes->rows * stride, keys = sizes->positions * stride;
  AttentionArgs args = {values(room, queries, 2), values(room, keys, 2), values(room, keys, 2), NULL, sizes->rows, sizes->positions, stride};
  float *given = output(room, queries), *expected = output(room, queries);
  if (room->failed) return -1;
  args.out = expected;
  plain_attention(&args);
  args.out = given;
  if (attention(&args)) return -1;
  return difference(given, expected, queries, tiny);
}

static float cross_attention_difference(int (*attention)(const CrossAttentionArgs *), const Sizes *sizes, Room *room) {
  size_t stride = 2 * head_size, positions = sizes->positions + (sizes->kind ? 3 : 0), queries = sizes->rows * stride, weights = sizes->rows * positions;
  float *bias = values(room, positions, 1), *given = output(room, queries), *expected = output(room, queries), *given_weights = output(room, weights), *expected_weights = output(room, weights);
  CrossAttentionArgs args = {.queries = values(room, queries, 1), .count = sizes->rows, .stride = stride, .keys = values(room, head_size * positions, 1), .values = values(room, head_size * positions, 1),
                             .bias = bias, .positions = positions, .seen = sizes->positions, .length = 1, .row_weights = positions};
  if (room->failed) return -1;
  args.out = expected, args.weights = expected_weights;
  plain_cross_attention(&args);
  args.out = given, args.weights = sizes->kind == 1 ? NULL : given_weights;
  if (attention(&args)) return -1;
  float of_weights = args.weights ? difference(given_weights, expected_weights, weights, tiny) : 0;
  return fmaxf(difference(given, expected, queries, tiny), of_weights);
}

static float self_attention_difference(int (*attention)(const SelfAttentionArgs *), const Sizes *sizes, Room *room) {
  size_t stride = 3 * head_size, added = sizes->rows * stride, past = sizes->positions - 1, present = (past + sizes->rows) * head_size, attended = sizes->rows * head_size;
  float *side = values(room, added, 2), *given[3], *expected[3];
  SelfAttentionArgs args = {.queries = side, .keys = side + head_size, .values = side + 2 * head_size, .count = sizes->rows, .stride = stride, .past_keys = values(room, past * head_size, 2),
                            .past_values = values(room, past * head_size, 2), .past = past, .out_stride = head_size};
  for (int i = 0; i < 3; i++) given[i] = output(room, i == 0 ? attended : present), expected[i] = output(room, i == 0 ? attended : present);
  if (room->failed) return -1;
  args.out = expected[0], args.present_keys = expected[1], args.present_values = expected[2];
  plain_self_attention(&args);
  args.out = given[0], args.present_keys = given[1], args.present_values = given[2];
  if (attention(&args)) return -1;
  float copies = fmaxf(difference(given[1], expected[1], present, tiny), difference(given[2], expected[2], present, tiny));
  return copies > 0 ? 1 : difference(given[0], expected[0], attended, tiny);
}

static float coarse_difference(const CoarseKernel *coarse, const Sizes *sizes, Room *room) {
  size_t k = (sizes->columns / coarse_inputs + 1) * coarse_inputs, rows = sizes->rows, outputs = 1 + sizes->outputs % panel_outputs, stride = outputs + sizes->kind;
  int8_t *weights = memory(room, k * panel_outputs), *codes = memory(room, rows * k);
  uint8_t *packed = memory(room, k / 2 * panel_outputs);
  int32_t *code_sums = memory(room, rows * sizeof *code_sums);
  float *scales = values(room, outputs, 0.02f), *bias = values(room, outputs, 1), *units = values(room, rows, 1), *given = output(room, rows * stride), *expected = output(room, rows * stride);
  if (room->failed) return -1;
  for (size_t i = 0; i < k * panel_outputs; i++) weights[i] = i % 5 < 2 ? 127 : i % 7 == 0 ? -127 : (int8_t)(127 * next_value(room));
  for (size_t row = 0; row < rows; row++) {
    code_sums[row] = 0;
    for (size_t i = 0; i < k; i++) code_sums[row] += codes[row * k + i] = i % 3 < 2 ? (sizes->kind & 1 ? 127 : -127) : (int8_t)(127 * next_value(room));
  }
  coarse->pack_panel(weights, k, packed);
  CoarseArgs args = {packed, k, rows, codes, code_sums, units, outputs, scales, bias, given, stride};
  coarse->multiply_panel(&args);
  plain_coarse_linear(&args, weights, expected);
  return difference(given, expected, rows * stride, tiny);
}

/** Two pieces, the second of which has the highest score in half of the cases; one score is forbidden. */
static float softmax_sum_difference(const SoftmaxKernel *softmax, const Sizes *sizes, Room *room) {
  size_t count = sizes->positions;
  float *from = values(room, 2 * count, 9), *bias = values(room, 2 * count, 1), *scores[2] = {output(room, 2 * count), output(room, 2 * count)}, *sums[2] = {output(room, 4), output(room, 4)};
  if (room->failed) return -1;
  bias[sizes->columns % (2 * count)] = count > 1 ? -INFINITY : 0;
  for (size_t i = 0; i < count; i++) bias[(sizes->kind & 1 ? count : 0) + i] += 2;
  for (int way = 0; way < 2; way++) {
    SoftmaxSum all = {-INFINITY, 0};
    memcpy(scores[way], from, 2 * count * sizeof *from);
    for (size_t piece = 0; piece < 2; piece++) {
      float *here = scores[way] + piece * count, peak = (way ? plain_add_bias : softmax->add_bias)(here, bias + piece * count, count);
      (way ? plain_add_exponentials : softmax->add_exponentials)(&all, here, count, peak);
      sums[way][2 + piece] = peak;
    }
    sums[way][0] = all.highest, sums[way][1] = all.sum;
    for (size_t i = 0; i < 2 * count; i++) scores[way][i] = fmaxf(scores[way][i], -99);
  }
  return fmaxf(difference(scores[0], scores[1], 2 * count, tiny), difference(sums[0], sums[1], 4, tiny));
}

static float swoosh_difference(void (*swoosh)(const SwooshArgs *), const Sizes *sizes, Room *room) {
  size_t count = sizes->positions;
  SwooshArgs args = {.x = values(room, count, 9), .count = count, .shift = sizes->kind ? 4 : 1, .offset = 0.3f};
  float *given = output(room, count), *expected = output(room, count);
  if (room->failed) return -1;
  args.y = expected;
  plain_swoosh(&args);
  args.y = given;
  swoosh(&args);
  return difference(given, expected, count, tiny);
}

/** Half of the points of each kind have 5 as a factor. */
static const size_t points_of[] = {512, 400, 64, 40};

/** Cosine and sine of each point's angle. */
static double *turns_of(Room *room, size_t points) {
  double *turns = memory(room, 2 * points * sizeof *turns);
  for (size_t i = 0; turns && i < points; i++) turns[2 * i] = cos(2 * M_PI * (double)i / (double)points), turns[2 * i + 1] = sin(2 * M_PI * (double)i / (double)points);
  return turns;
}

static double *positive(Room *room, size_t count) {
  double *made = memory(room, count * sizeof *made);
  for (size_t i = 0; made && i < count; i++) made[i] = fabs((double)next_value(room));
  return made;
}

static float filterbank_difference(void (*filterbank)(const FilterbankArgs *), const Sizes *sizes, Room *room) {
  size_t count = 1 + sizes->rows % 10, points = points_of[sizes->kind % 4], frame = points - 2 * (sizes->positions % (points / 4)), mels = 1 + sizes->outputs % 128, hop = 1 + sizes->columns % 200;
  int32_t *first_bin = memory(room, mels * sizeof *first_bin), *offset = memory(room, (mels + 1) * sizeof *offset), weights = 0;
  for (size_t mel = 0; first_bin && offset && mel < mels; mel++) {
    first_bin[mel] = (int32_t)(mel * (points / 2) / mels);
    offset[mel] = weights;
    weights += (int32_t)(points / 2 + 1 - (size_t)first_bin[mel]) % 21; /* none in some */
    offset[mel + 1] = weights;
  }
  FilterbankArgs args = {.samples = values(room, (count - 1) * hop + frame, 1), .count = count, .hop_samples = hop, .frame_samples = frame, .points = points, .mels = mels,
                         .removes_offset = sizes->kind % 2 == 0, .pre_emphasis = sizes->kind % 2 ? 0 : 0.97, .energy_min = 1e-7, .log_factor = 1, .window = positive(room, frame),
                         .turns = turns_of(room, points), .noise = positive(room, mels), .first_bin = first_bin, .offset = offset, .weights = positive(room, (size_t)weights)};
  float *given = output(room, count * mels), *expected = output(room, count * mels);
  if (room->failed) return -1;
  args.out = expected;
  plain_filterbank(&args);
  args.out = given;
  filterbank(&args);
  return difference(given, expected, count * mels, tiny);
}

static float compare(const Candidate *candidate, const Sizes *sizes, Room *room) {
  switch (candidate->name) {
    case of_linear: return linear_difference(candidate->kernel.linear, sizes, room);
    case of_coarse_linear: return coarse_difference(candidate->kernel.coarse_linear, sizes, room);
    case of_attention: return attention_difference(candidate->kernel.attention, sizes, room);
    case of_cross_attention: return cross_attention_difference(candidate->kernel.cross_attention, sizes, room);
    case of_self_attention: return self_attention_difference(candidate->kernel.self_attention, sizes, room);
    case of_softmax_sum: return softmax_sum_difference(candidate->kernel.softmax_sum, sizes, room);
    case of_swoosh: return swoosh_difference(candidate->kernel.swoosh, sizes, room);
    case of_filterbank: return filterbank_difference(candidate->kernel.filterbank, sizes, room);
    case kernel_count: break;
  }
  return 1;
}

static void clear(Room *room) {
  while (room->count > 0) free(room->blocks[--room->count]);
}

float difference_of(const Candidate *candidate, const Sizes *sizes) {
  Room room = {.seed = 1};
  float off = compare(candidate, sizes, &room);
  clear(&room);
  return off;
}

/** Attention in 16 bits has 8 or 11 bits of them; the sums of everything else are float or exact. */
static float tolerance_of(const Candidate *candidate) {
  int is_half = strstr(candidate->instructions, "16") != NULL && candidate->name == of_attention;
  return is_half ? 0.02f : 2e-5f;
}

/** Whole tiles, and what is left of them. */
static const Sizes proof_sizes[] = {{7, 28, 70, 19, 0}, {13, 260, 64, 130, 1}, {1, 64, 3, 1, 2}, {6, 64, 128, 64, 3}};

static int is_fault(const char *kind, const Candidate *candidate) {
  const char *asked = getenv("EARSHOT_KERNELS_FAULT");
  size_t length = strlen(kind);
  return asked && strncmp(asked, kind, length) == 0 && strcmp(asked + length, candidate->instructions) == 0;
}

static void illegal_instruction(void) {
#if defined __x86_64__
  __asm__ volatile("ud2");
#elif defined __aarch64__
  __asm__ volatile(".inst 0");
#endif
}

static const char *run_proof(const Candidate *candidate) {
  if (is_fault("illegal:", candidate)) illegal_instruction();
  for (size_t i = 0; i < sizeof proof_sizes / sizeof *proof_sizes; i++) {
    float off = difference_of(candidate, &proof_sizes[i]);
    if (off < 0) return "out of memory";
    if (!(off <= tolerance_of(candidate)) || is_fault("wrong:", candidate)) return "its results differ from plain C";
  }
  return NULL;
}

static __thread sigjmp_buf *way_out;
static struct sigaction before;

/** Of another thread, or outside a proof: as if this handler weren't there. */
static void on_illegal(int signal_number) {
  if (way_out) siglongjmp(*way_out, 1);
  sigaction(signal_number, &before, NULL);
}

const char *prove(const Candidate *candidate) {
  sigjmp_buf here;
  struct sigaction during = {.sa_handler = on_illegal};
  const char *why;
  sigemptyset(&during.sa_mask);
  if (sigaction(SIGILL, &during, &before)) return "no handler for illegal instructions";
  if (sigsetjmp(here, 1)) why = "the processor says that it has it, and refuses it (SIGILL)";
  else {
    way_out = &here;
    why = run_proof(candidate);
  }
  way_out = NULL;
  sigaction(SIGILL, &before, NULL);
  return why;
}
