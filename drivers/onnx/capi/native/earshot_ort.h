/**
 * The interface between earshot and an ONNX Runtime that is not bundled: a board maker's build with its own execution providers. It works with any shared library
 * that exports OrtGetApiBase (ONNX Runtime's stable C API), so a vendor has nothing to do. `library.ts` calls it through a foreign function interface, hence
 * integers, strings and buffers, no structs, no callbacks.
 *
 * RULES
 * - One thread calls at a time. `run` blocks for the whole inference.
 * - Handles are opaque; 0 means none. They stay valid until they are closed or released, a returned string until the next call.
 * - A function that fails returns 0 (handles) or -1, and `earshot_ort_error` returns ONNX Runtime's message.
 * - Numbers in buffers are 64 bits wide in the byte order of the machine; in the request of a run they are doubles, which hold every address (below 2^53).
 */
#ifndef EARSHOT_ORT_H
#define EARSHOT_ORT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Incremented with every incompatible change. */
#define EARSHOT_ORT_INTERFACE 6

/** The largest rank of a tensor in our graphs. */
#define EARSHOT_ORT_RANK_MAX 8

/** Words of one input or output in the request of a run: number, tensor, address, bytes, element type, rank, dimensions, stamp. */
#define EARSHOT_ORT_END_WORDS (7 + EARSHOT_ORT_RANK_MAX)

/** Words of a request before those of its ends: session, inputs, outputs, address and bytes of the room, bytes of an output that is copied into it at most. */
#define EARSHOT_ORT_REQUEST_WORDS 6

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
 *   memory planned      all runs have the same shapes: the memory of a run is planned once, and kept
 *   memory pooled       operators of a run share a pool, which is given back after the run; without either each allocates for itself
 *   config KEY VALUE    a session configuration entry of ONNX Runtime
 *   provider NAME       an execution provider; the first one named is asked first, the CPU takes what is left
 *   option KEY VALUE    of the provider named last
 *   device NAME NUMBER  memory in which outputs stay until they are read, and inputs with a stamp until another one comes: "Cuda" and the number of the GPU. Without
 *                       the means to read it, outputs are copied into the caller's kind of memory by each run, as they are without this line
 *   constants PATH      the file in which the values of the next lines are
 *   constant NAME OFFSET TYPE DIMENSIONS    a constant of the graph, ONNX's number of its element type, dimensions separated by commas: those graphs that are opened
 *                       with the same part of the same file hold it once. A name that the graph does not have is ignored
 */
int64_t earshot_ort_open(int64_t runtime, const char *path, const char *options);

/** Inputs, then outputs, one a line: "in" or "out", name, element type (0: no tensor), dimensions separated by commas; tabs between. */
const char *earshot_ort_describe(int64_t session);

/** Where memory of the caller lies, for requests: it must stay there until the run ends. */
int64_t earshot_ort_address(uint8_t *memory);

/**
 * @param request doubles: EARSHOT_ORT_REQUEST_WORDS, then EARSHOT_ORT_END_WORDS for each input and each output. Inputs and outputs are numbers in the order of
 *   `describe`. An input is a tensor, or (0) memory of the caller with its bytes, ONNX's number of the element type, and shape. So is an output that is to be
 *   written to memory of the caller, whose shape must be the graph's. An input's stamp is 0, or a number that no other values have: with the stamp of the last run it
 *   is not copied to the device again. Of any other output tensor and address are 0, and all words but the number are written: if it
 *   is small and the room has space, it is copied there, address is its place in the room and there is no tensor; else address is -1.
 * @return 0 or -1; no output is to be released after -1.
 */
int32_t earshot_ort_run(uint8_t *request);

/** Copies a tensor's elements. @param bytes exactly as many as it has. */
int32_t earshot_ort_read(int64_t runtime, int64_t tensor, uint8_t *into, int64_t bytes);

/** What `unsummed` may be besides a token. */
#define EARSHOT_ORT_ALL_SUMMED (-1)
#define EARSHOT_ORT_NONE_SUMMED (-2)

/** Tokens of a row that can be asked for. */
#define EARSHOT_ORT_LIKELIEST_MAX 32

/** The first or the last of the scores searched is not a finite number. */
#define EARSHOT_ORT_NOT_FINITE 1

/**
 * The `most` likeliest tokens of each row of a tensor of floats, in the library's memory: [..., width].
 * @param first, count rows that are searched. @param unsummed rows with this likeliest token need no sum.
 * @param into of every row first the tokens (32 bits), best first, then their scores (floats), then natural logarithms of the sum of exp(score), or 0 (floats).
 * @return 0, EARSHOT_ORT_NOT_FINITE or -1
 */
int32_t earshot_ort_likeliest(int64_t runtime, int64_t tensor, int64_t width, int64_t first, int64_t count, int64_t most, int64_t unsummed, uint8_t *into);

/** @param tensors words: handles. */
int32_t earshot_ort_release(int64_t runtime, const uint8_t *tensors, int32_t count);

/** How many values of the library are held, of all runtimes: tests see by it that nothing is lost. */
int64_t earshot_ort_live(void);

int32_t earshot_ort_close(int64_t session);

/**
 * Log-mel features of frames, without ONNX Runtime: runtime/features/filterbank-port.ts says what is computed.
 * @param level of the kernels, see earshot_ort_kernels.
 * @param plan numbers of 64 bits: points, samples of a frame, samples from one frame to the next, mels, count of weights, whether the mean is removed (0: no),
 *   pre-emphasis, least energy, factor of the natural logarithm; then window, cosine and sine of each point's angle in turn, noise of each mel, first bin of each,
 *   begin of each one's weights and the end of the last's, weights. They are checked. @param numbers how many
 * @param samples float; @param out float: [frames, mels], of `values` at least.
 * @return 0; -1 where the sizes don't fit or there is no such kernel, and nothing is written
 */
int32_t earshot_ort_filterbank(const char *level, const uint8_t *plan, int64_t numbers, const uint8_t *samples, int64_t sample_count, int64_t frames, uint8_t *out, int64_t values);

#ifdef __cplusplus
}
#endif

#endif
