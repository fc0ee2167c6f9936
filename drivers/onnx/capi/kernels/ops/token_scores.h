/**
 * Scores of all tokens of a vocabulary, of which a row keeps the highest, the sum of their exponentials, and those that are asked for. Coarse scores say which tokens are worth
 * computing (coarse_layer.h). Without a kernel for them a thread scores 256 tokens at a time, and forgets them: the scores of many rows for 51865 tokens do not fit in a cache, and ONNX Runtime
 * reads and writes them five times.
 */
#ifndef EARSHOT_TOKEN_SCORES_H
#define EARSHOT_TOKEN_SCORES_H

#include "coarse_layer.h"
#include "native/likeliest.h"

/** A part of the vocabulary is scored by one thread, block by block. */
enum { top_count = 16, block_panels = 4, block_outputs = block_panels * panel_outputs };

/** What is known of a row after a part of the vocabulary. */
typedef struct {
  SoftmaxSum all;
  size_t refined; /* coarse: scores that were computed again */
  Likeliest best[top_count];
} RowScores;

/** One run. */
typedef struct {
  LayerRun run;
  CoarseRun coarse;
  const SoftmaxKernel *softmax;
  const float *token_bias;
  const int32_t *extra_ids; /* [rows, extras] */
  size_t extras, blocks, parts;
  size_t *wanted;      /* [rows * extras]: places in extra_ids, in the order of the blocks that they are in, */
  size_t *wanted_from; /* [blocks + 1]: where those of a block begin */
  float *scores;       /* [parts, rows, block_outputs]; coarse: [rows, N] */
  float *peaks;        /* coarse: [rows, blocks] */
  float *thresholds;   /* coarse: [rows], of scores that are computed again */
  RowScores *found;    /* [parts, rows] */
  float *top;          /* outputs: [rows, 16], */
  int32_t *ids;        /* [rows, 16], */
  float *extra;        /* [rows, extras] */
} TokenScores;

static inline int is_coarse(const TokenScores *work) { return work->coarse.coarse != NULL; }

/** Sorts the extra ids by block. @return whether each is a token */
int order_extra_ids(TokenScores *work);

/* Steps of a run, whose parts or rows are done in parallel; `work` is a TokenScores. Either one step, */
void score_part(void *work, size_t part);
/* or, if is_coarse, three, */
void score_part_coarsely(void *work, size_t part);
void choose_threshold(void *work, size_t row);
void refine_part(void *work, size_t part);
/** and at last what the parts found is joined. */
void finish_row(void *work, size_t row);

#endif
