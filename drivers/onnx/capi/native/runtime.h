/**
 * What the files of the interface share: a loaded ONNX Runtime, an open graph, and how a call of its API is written and its failure kept.
 *
 * INVARIANT: no pointer that JavaScript made up is followed: handles come from here, sizes are checked against the library's own.
 */
#ifndef EARSHOT_ORT_RUNTIME_H
#define EARSHOT_ORT_RUNTIME_H

#include "earshot_ort.h"
#include "ort_api.h"

#define EXPORTED __attribute__((visibility("default")))
/** A function of the table with these parameters that tells of failure. */
#define API(runtime, place, ...) ((OrtFailure * (*)(__VA_ARGS__))(runtime)->api[place])
#define RELEASE(runtime, place, object) ((void (*)(Ort *))(runtime)->api[place])(object)

typedef struct {
  void *const *api;
  const char *version;
  void *library;
  Ort *env;
  Ort *memory;
  Ort *allocator;
  Ort *kernels; /* our own operators (kernels/dispatch.h); NULL: this processor has none */
} Runtime;

typedef struct {
  Runtime *runtime;
  Ort *session;
  size_t inputs;
  size_t outputs;
  char **names; /* inputs, then outputs; the library's memory */
  char *description;
  Ort **values; /* inputs, then outputs of the run under way */
  const char **wanted; /* their names */
} Session;

/** Keeps the words for earshot_ort_error. @return -1 */
int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** @return 0, or -1 with the library's own words kept. */
int check(Runtime *runtime, OrtFailure *failure);

/** @param text see earshot_ort_open; written to. @return 0 or -1 */
int set_options(Runtime *runtime, Ort *options, char *text);

static inline Runtime *runtime_of(int64_t handle) { return (Runtime *)(intptr_t)handle; }

static inline Session *session_of(int64_t handle) { return (Session *)(intptr_t)handle; }

#endif
