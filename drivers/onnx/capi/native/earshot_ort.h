/**
 * The interface between earshot and an ONNX Runtime that is not bundled: a board maker's build with its own execution providers. It works with any shared library
 * that exports OrtGetApiBase (ONNX Runtime's stable C API), so a vendor has nothing to do. `library.ts` calls it through a foreign function interface, hence
 * integers, strings and buffers, no structs, no callbacks.
 *
 * RULES
 * - One thread calls at a time. `run` blocks for the whole inference.
 * - Handles are opaque; 0 means none. They stay valid until they are closed or released, a returned string until the next call.
 * - A function that fails returns 0 (handles) or -1, and `earshot_ort_error` returns ONNX Runtime's message.
 * - Numbers in buffers are 64 bits wide in the byte order of the machine.
 */
#ifndef EARSHOT_ORT_H
#define EARSHOT_ORT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Incremented with every incompatible change. */
#define EARSHOT_ORT_INTERFACE 2

/** The largest rank of a tensor in our graphs. */
#define EARSHOT_ORT_RANK_MAX 8

/** Words of one output in the request of a run: output, handle, element type, rank, dimensions. */
#define EARSHOT_ORT_OUTPUT_WORDS (4 + EARSHOT_ORT_RANK_MAX)

int32_t earshot_ort_interface(void);

/** The SHA-256 of the sources that the library was built from. */
const char *earshot_ort_source(void);

/**
 * The kernels of a level on this processor, one a line: name, instructions of the one that is used (empty: the library's operators), and for each better one its
 * instructions, a colon, and what speaks against it, with a "!" in front if it failed its proof; tabs between. @param level none, a name in kernels/levels.c, or auto: the best. @return "": no such level
 */
const char *earshot_ort_kernels(const char *level);

/** Why the last call failed. */
const char *earshot_ort_error(void);

/** Loads an ONNX Runtime. @param path of the library. @return a runtime; it stays loaded until the process ends. */
int64_t earshot_ort_load(const char *path);

/** The version string of a loaded ONNX Runtime. */
const char *earshot_ort_version(int64_t runtime);

/**
 * Opens a graph.
 * @param path of the .onnx file.
 * @param options one a line, words separated by one space:
 *   threads N           inside one operator
 *   kernels LEVEL       operators of ours are computed by our kernels of that level or below where the processor has them; none: by the library's
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
