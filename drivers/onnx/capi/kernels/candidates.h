/** Every compiled kernel of this kind of processor. */
#ifndef EARSHOT_CANDIDATES_H
#define EARSHOT_CANDIDATES_H

#include "kernels.h"
#include "levels.h"

typedef enum { of_linear, of_coarse_linear, of_attention, of_cross_attention, of_self_attention, of_softmax_sum, of_swoosh, of_filterbank, kernel_count } KernelName;

/** As docs and logs name them. */
extern const char *const kernel_names[];

typedef struct {
  KernelName name;
  const char *instructions;
  Sets needs;
  Kernels kernel; /* only that one */
} Candidate;

/** The slowest of each kernel first. */
extern const Candidate candidates[];
extern const size_t candidate_count;
enum { candidates_max = 32 };

#endif
