#define _GNU_SOURCE
#include "choice.h"

#include <stdio.h>
#include <string.h>

#include "candidates.h"
#include "proof.h"

/** Per candidate, since what does not work at one level does not at another. */
static struct {
  int tried;
  const char *why_not; /* NULL: it works */
} trials[candidates_max];

typedef struct {
  int made;
  Kernels kernels;
  const Candidate *chosen[kernel_count]; /* NULL: none */
} Choice;

static Choice choices[levels_max + 1];

int level_named(const char *name) {
  int count = 0, found = -1;
  for (; levels[count].name; count++)
    if (strcmp(levels[count].name, name) == 0) found = count;
  return strcmp(name, "auto") == 0 ? count - 1 : found;
}

/** @return NULL, or why a candidate can't be used at this level */
static const char *why_not(size_t i, int level) {
  Sets needs = candidates[i].needs;
  if (needs & ~sets_here()) return "the processor does not have it";
  if (needs & ~levels[level].allowed) return "the configuration does not allow it";
  if (!trials[i].tried) trials[i].why_not = prove(&candidates[i]);
  trials[i].tried = 1;
  return trials[i].why_not;
}

static void take(Kernels *kernels, const Candidate *from) {
  switch (from->name) {
    case of_linear: kernels->linear = from->kernel.linear; break;
    case of_coarse_linear: kernels->coarse_linear = from->kernel.coarse_linear; break;
    case of_attention: kernels->attention = from->kernel.attention; break;
    case of_cross_attention: kernels->cross_attention = from->kernel.cross_attention; break;
    case of_self_attention: kernels->self_attention = from->kernel.self_attention; break;
    case of_softmax_sum: kernels->softmax_sum = from->kernel.softmax_sum; break;
    case of_swoosh: kernels->swoosh = from->kernel.swoosh; break;
    case of_filterbank: kernels->filterbank = from->kernel.filterbank; break;
    case kernel_count: break;
  }
}

/** Asks from the best down, so that only what is used is tried. */
static Choice *choice_of(int level) {
  Choice *choice = &choices[level];
  if (choice->made) return choice;
  for (size_t i = candidate_count; i-- > 0;) {
    const Candidate *candidate = &candidates[i];
    if (choice->chosen[candidate->name] || why_not(i, level)) continue;
    choice->chosen[candidate->name] = candidate;
    take(&choice->kernels, candidate);
  }
  choice->made = 1;
  return choice;
}

const Kernels *kernels_of(int level) { return &choice_of(level)->kernels; }

const char *describe_kernels(int level) {
  static char text[4096];
  const Choice *choice = choice_of(level);
  FILE *out = fmemopen(text, sizeof text, "w");
  if (!out) return "";
  for (int name = 0; name < kernel_count; name++) {
    const Candidate *chosen = choice->chosen[name];
    fprintf(out, "%s\t%s", kernel_names[name], chosen ? chosen->instructions : "");
    for (size_t i = candidate_count; i-- > 0 && &candidates[i] != chosen;)
      if ((int)candidates[i].name == name) fprintf(out, "\t%s%s: %s", trials[i].why_not ? "!" : "", candidates[i].instructions, why_not(i, level));
    fputc('\n', out);
  }
  fclose(out);
  return text;
}
