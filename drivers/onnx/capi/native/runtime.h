/**
 * Shared by the files of this interface: a loaded ONNX Runtime, an open graph, calls of the API, and the message of the last failure.
 *
 * INVARIANT: pointers from JavaScript are only handles that were created here, and sizes are checked against those of ONNX Runtime.
 */
#ifndef EARSHOT_ORT_RUNTIME_H
#define EARSHOT_ORT_RUNTIME_H

#include "earshot_ort.h"
#include "kernels/levels.h"
#include "ort_api.h"

#define EXPORTED __attribute__((visibility("default")))
/** A function of the table with these parameters that returns a status. */
#define API(runtime, place, ...) ((OrtFailure * (*)(__VA_ARGS__))(runtime)->api[place])
#define RELEASE(runtime, place, object) ((void (*)(Ort *))(runtime)->api[place])(object)

/** cudaMemcpy: kind 2 copies from the device to the host. @return 0: done */
typedef int CopyFromDevice(void *into, const void *from, size_t bytes, int kind);

typedef struct {
  void *const *api;
  const char *version;
  void *library;
  Ort *env;
  Ort *memory;
  Ort *allocator;
  Ort *kernels[levels_max]; /* per level, the domain of custom operators (kernels/dispatch.h); NULL: not made */
  CopyFromDevice *copy_from_device; /* NULL: all values are in the caller's kind of memory */
} Runtime;

/** Of constants.c. */
typedef struct Block Block;
typedef struct Constant Constant;
/** Of binding.c. */
typedef struct Binding Binding;

typedef struct {
  Runtime *runtime;
  Ort *session;
  Ort *run_options; /* NULL: the library's defaults */
  size_t inputs;
  size_t outputs;
  char **names; /* inputs, then outputs; owned by ONNX Runtime */
  char *description;
  Ort **values; /* inputs, then outputs of the current run */
  const char **wanted; /* their names */
  Constant *constants; /* shared with other graphs */
  int constants_file; /* while the graph is opened; else -1 */
  char device[16]; /* the memory outputs stay in; empty: the caller's kind */
  int device_number;
  Binding *binding; /* NULL: runs return everything in the caller's kind of memory */
} Session;

/** Keeps the message for earshot_ort_error. @return -1 */
int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** @return 0, or -1 with ONNX Runtime's message kept. */
int check(Runtime *runtime, OrtFailure *failure);

/** What was made, or (negative) released. */
void count_values(int64_t more);

/** Whether a tensor's values are in memory that only copy_values reads. @return 1, 0 or -1 */
int is_on_device(Runtime *runtime, Ort *value);

/** Copies a tensor's first bytes from wherever they are. @return 0 or -1 */
int copy_values(Runtime *runtime, Ort *value, void *into, size_t bytes);

/** @return 0: an element of this type has no fixed size. */
int64_t element_bytes(int64_t type);

/** @param text see earshot_ort_open; modified. @param opened gets run options where runs need any, and constants. @return 0 or -1 */
int set_options(Session *opened, Ort *options, char *text);

static inline Runtime *runtime_of(int64_t handle) { return (Runtime *)(intptr_t)handle; }

static inline Session *session_of(int64_t handle) { return (Session *)(intptr_t)handle; }

#endif
