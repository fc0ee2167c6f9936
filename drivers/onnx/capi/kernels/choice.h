/** Which kernels a level has on this processor: the best that the processor says it can run, and that proved it (proof.h). */
#ifndef EARSHOT_CHOICE_H
#define EARSHOT_CHOICE_H

#include "kernels.h"

/** @return the place of a level's name in `levels` (auto: the last one), or -1 */
int level_named(const char *name);

/** @param level a place in `levels`. Not for two threads at a time. */
const Kernels *kernels_of(int level);

/** One line per kernel: its name, the instructions of the chosen one or nothing, and what speaks against better ones, separated by tabs. */
const char *describe_kernels(int level);

#endif
