#include "token_scores.h"

#include <math.h>

/** Where nearly all tokens are as likely as each other, it would take longer to compute them again one by one than all at once: so a part does so for at most refined_max of a row. */
enum { refined_max = 512 };

int order_extra_ids(TokenScores *work) {
  const size_t count = work->run.rows * work->extras;
  for (size_t block = 0; block <= work->blocks; block++) work->wanted_from[block] = 0;
  for (size_t i = 0; i < count; i++) {
    if (work->extra_ids[i] < 0 || (size_t)work->extra_ids[i] >= work->run.layer.n) return 0;
    work->wanted_from[(size_t)work->extra_ids[i] / block_outputs]++;
  }
  for (size_t block = 0, before = 0; block <= work->blocks; block++) before += work->wanted_from[block], work->wanted_from[block] = before; /* where each ends */
  for (size_t i = count; i-- > 0;) work->wanted[--work->wanted_from[(size_t)work->extra_ids[i] / block_outputs]] = i;
  return 1;
}

typedef struct {
  size_t first, count;
} Span;

static Span outputs_of(const TokenScores *work, size_t block) {
  const size_t first = block * block_outputs, left = work->run.layer.n - first;
  return (Span){first, left < block_outputs ? left : block_outputs};
}

static Span blocks_of(const TokenScores *work, size_t part) {
  const size_t first = part * work->blocks / work->parts;
  return (Span){first, (part + 1) * work->blocks / work->parts - first};
}

static int is_forbidden(const TokenScores *work, Span of) {
  for (size_t i = 0; i < of.count; i++)
    if (work->token_bias[of.first + i] != -INFINITY) return 0;
  return 1;
}

/** Takes the scores of a block, with their bias, into account. @param peak at least the highest */
static void take(const TokenScores *work, RowScores *found, Span of, const float *scores, float peak) {
  work->softmax->add_exponentials(&found->all, scores, of.count, peak);
  if (peak > found->best[top_count - 1].score) likeliest_among(scores, of.count, of.first, found->best, top_count);
}

static RowScores *begin_part(const TokenScores *work, size_t part) {
  RowScores *found = work->found + part * work->run.rows;
  for (size_t row = 0; row < work->run.rows; row++) {
    found[row] = (RowScores){.all = {-INFINITY, 0}};
    for (size_t i = 0; i < top_count; i++) found[row].best[i].score = -INFINITY;
  }
  return found;
}

static void score_block(const TokenScores *work, size_t block, float *scores, RowScores *found) {
  const LayerRun *run = &work->run;
  const Span of = outputs_of(work, block);
  const size_t wanted = work->wanted_from[block], wanted_end = work->wanted_from[block + 1];
  if (wanted == wanted_end && is_forbidden(work, of)) return;
  Layer part = run->layer;
  part.n = of.count;
  part.weights += of.first * part.k, part.sums += of.first, part.scales += of.first, part.bias += of.first;
  for (size_t panel = 0; panel * panel_outputs < of.count; panel++) run->kernel->multiply_panel(&part, panel, run->codes, run->units, run->rows, scores);
  for (size_t i = wanted; i < wanted_end; i++) {
    const size_t place = work->wanted[i];
    work->extra[place] = scores[place / work->extras * of.count + (size_t)work->extra_ids[place] - of.first];
  }
  for (size_t row = 0; row < run->rows; row++, scores += of.count) take(work, found + row, of, scores, work->softmax->add_bias(scores, work->token_bias + of.first, of.count));
}

void score_part(void *of, size_t part) {
  const TokenScores *work = of;
  RowScores *found = begin_part(work, part);
  const Span blocks = blocks_of(work, part);
  for (size_t i = 0; i < blocks.count; i++) score_block(work, blocks.first + i, work->scores + part * work->run.rows * block_outputs, found);
}

void score_part_coarsely(void *of, size_t part) {
  const TokenScores *work = of;
  const Span blocks = blocks_of(work, part);
  const size_t n = work->run.layer.n;
  for (size_t block = blocks.first; block < blocks.first + blocks.count; block++) {
    const Span outputs = outputs_of(work, block);
    const int forbidden = is_forbidden(work, outputs);
    if (!forbidden) coarse_scores(&work->coarse, outputs.first, outputs.count, work->scores + outputs.first, n);
    for (size_t row = 0; row < work->run.rows; row++)
      work->peaks[row * work->blocks + block] = forbidden ? -INFINITY : work->softmax->add_bias(work->scores + row * n + outputs.first, work->token_bias + outputs.first, outputs.count);
  }
}

void choose_threshold(void *of, size_t row) {
  const TokenScores *work = of;
  Likeliest best[top_count];
  for (size_t i = 0; i < top_count; i++) best[i].score = -INFINITY;
  for (size_t block = 0; block < work->blocks; block++) {
    const Span outputs = outputs_of(work, block);
    if (work->peaks[row * work->blocks + block] > best[top_count - 1].score) likeliest_among(work->scores + row * work->run.layer.n + outputs.first, outputs.count, outputs.first, best, top_count);
  }
  work->thresholds[row] = best[top_count - 1].score - coarse_margin;
}

/** @return at least the highest score of the block */
static float refine(const TokenScores *work, size_t row, RowScores *found, Span of, float *scores, float peak) {
  const float threshold = work->thresholds[row];
  if (!(peak >= threshold)) return peak;
  for (size_t i = 0; i < of.count && found->refined < refined_max; i++) {
    if (!(scores[i] >= threshold) || scores[i] == -INFINITY) continue;
    scores[i] = exact_score(&work->coarse, row, of.first + i) + work->token_bias[of.first + i];
    if (scores[i] > peak) peak = scores[i];
    found->refined++;
  }
  return peak;
}

void refine_part(void *of, size_t part) {
  const TokenScores *work = of;
  RowScores *found = begin_part(work, part);
  const Span blocks = blocks_of(work, part);
  for (size_t block = blocks.first; block < blocks.first + blocks.count; block++) {
    const Span outputs = outputs_of(work, block);
    for (size_t i = work->wanted_from[block]; i < work->wanted_from[block + 1]; i++) {
      const size_t place = work->wanted[i];
      work->extra[place] = exact_score(&work->coarse, place / work->extras, (size_t)work->extra_ids[place]);
    }
    for (size_t row = 0; row < work->run.rows; row++) {
      float *scores = work->scores + row * work->run.layer.n + outputs.first, peak = work->peaks[row * work->blocks + block];
      if (peak != -INFINITY) take(work, found + row, outputs, scores, refine(work, row, found + row, outputs, scores, peak));
    }
  }
}

/** Joins what the parts found, into the first one's. */
void finish_row(void *of, size_t row) {
  const TokenScores *work = of;
  RowScores *joined = work->found + row;
  float highest = joined->all.highest;
  double sum = joined->all.sum;
  for (size_t part = 1; part < work->parts; part++) {
    const RowScores *more = work->found + part * work->run.rows + row;
    if (more->all.highest > highest) sum *= exp((double)highest - more->all.highest), highest = more->all.highest;
    if (highest > -INFINITY) sum += more->all.sum * exp((double)more->all.highest - highest);
    for (size_t i = 0; i < top_count; i++) likeliest_among(&more->best[i].score, 1, more->best[i].at, joined->best, top_count);
  }
  const float total = (float)(highest + log(sum));
  for (size_t i = 0; i < top_count; i++) {
    work->top[row * top_count + i] = joined->best[i].score - total;
    work->ids[row * top_count + i] = (int32_t)joined->best[i].at;
  }
  for (size_t i = row * work->extras; i < (row + 1) * work->extras; i++) work->extra[i] -= total;
}
