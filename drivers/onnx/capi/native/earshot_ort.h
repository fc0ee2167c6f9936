/**
 * The interface between earshot and an ONNX Runtime that it did not bring along: a board maker's build with processors of its own. `runtime.c` and its neighbours
 * implement it on any shared library that exports OrtGetApiBase (ONNX Runtime's stable C API), so a vendor has nothing to do. It is also all that
 * `library.ts` calls over its foreign function interface: integers, strings and buffers, no structs, no callbacks.
 *
 * RULES
 * - One thread calls at a time. `run` blocks for the whole inference.
 * - Handles are opaque; 0 is none. What a function returned stays valid until it is closed or released, a string until the next call.
 * - A function that fails returns 0 (handles) or -1, and `earshot_ort_error` says why in the words of the library.
 * - Numbers in buffers are 64 bits wide in the byte order of the machine.
 */
#ifndef EARSHOT_ORT_H
#define EARSHOT_ORT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Raised with every change that an older caller would not survive. */
#define EARSHOT_ORT_INTERFACE 1

/** Of a tensor; none of ours has more. */
#define EARSHOT_ORT_RANK_MAX 8

/** Words of one output in the request of a run: output, handle, element type, rank, dimensions. */
#define EARSHOT_ORT_OUTPUT_WORDS (4 + EARSHOT_ORT_RANK_MAX)

int32_t earshot_ort_interface(void);

/** sha256 of the sources that this was built from. */
const char *earshot_ort_source(void);

/** Our kernels that this processor has, separated by spaces: kernels/dispatch.h. */
const char *earshot_ort_kernels(void);

/** Why the last call failed. */
const char *earshot_ort_error(void);

/** Loads an ONNX Runtime. @param path of the library. @return a runtime; it stays loaded until the process ends. */
int64_t earshot_ort_load(const char *path);

/** Its version, as it states it. */
const char *earshot_ort_version(int64_t runtime);

/**
 * Opens a graph.
 * @param path of the .onnx file.
 * @param options one a line, words separated by one space:
 *   threads N           inside one operator
 *   kernels own         operators of ours are computed by our kernels where the processor has them; kernels library: by the library's
 *   config KEY VALUE    a session configuration entry of ONNX Runtime
 *   provider NAME       an execution provider; the first one named is asked first, the CPU takes what is left
 *   option KEY VALUE    of the provider named last
 */
int64_t earshot_ort_open(int64_t runtime, const char *path, const char *options);

/** Inputs, then outputs, one a line: "in" or "out", name, element type (0: no tensor), dimensions separated by commas; tabs between. */
const char *earshot_ort_describe(int64_t session);

/** A tensor over the caller's memory, which must stay where it is until the tensor is released. @param type ONNX's number of the element type. */
int64_t earshot_ort_tensor(int64_t runtime, int32_t type, uint8_t *data, int64_t bytes, const uint8_t *dims, int32_t rank);

/**
 * @param request words: inputs n, outputs m, n times (input, tensor), m times EARSHOT_ORT_OUTPUT_WORDS of which the caller fills the first. Inputs and
 *   outputs are numbers in the order of `describe`. The other words of each output are written.
 * @return 0 or -1; no output is to be released after -1.
 */
int32_t earshot_ort_run(int64_t session, uint8_t *request);

/** Copies a tensor's elements. @param bytes exactly as many as it has. */
int32_t earshot_ort_read(int64_t runtime, int64_t tensor, uint8_t *into, int64_t bytes);

/** @param tensors words: handles. */
int32_t earshot_ort_release(int64_t runtime, const uint8_t *tensors, int32_t count);

int32_t earshot_ort_close(int64_t session);

#ifdef __cplusplus
}
#endif

#endif
