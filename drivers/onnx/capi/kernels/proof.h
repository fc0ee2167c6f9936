/** Runs a kernel on small inputs before it is used: some processors and virtual machines report instructions that they then refuse, or that compute something else. */
#ifndef EARSHOT_PROOF_H
#define EARSHOT_PROOF_H

#include "candidates.h"

/**
 * Compares with plain C, in about a millisecond. An illegal instruction ends the attempt, not the process.
 * Test hook: EARSHOT_KERNELS_FAULT=illegal:INSTRUCTIONS or wrong:INSTRUCTIONS makes that candidate's kernels fail.
 * @return NULL, or why the kernel can't be used
 */
const char *prove(const Candidate *candidate);

/** Sizes of one case. What a kernel does not have, it ignores. */
typedef struct {
  size_t rows;     /* of a layer; queries */
  size_t columns;  /* inputs of a layer, a multiple of 4 */
  size_t outputs;  /* of a layer */
  size_t positions; /* keys; scores of a softmax; values of swoosh; what a frame is shorter than the transform */
  int kind;        /* 0 to 3: before and after GELU; watched */
} Sizes;

/** One case. @return the difference from plain C by the largest value; 1 where a value is not a number or memory beside the output was written; -1 without memory */
float difference_of(const Candidate *candidate, const Sizes *sizes);

#endif
