/** Opens a graph, and describes its inputs and outputs as text. */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binding.h"
#include "constants.h"

typedef struct {
  FILE *out;
  Runtime *runtime;
} Writer;

static int describe_shape(Writer *writer, Ort *info) {
  Runtime *runtime = writer->runtime;
  int type = 0;
  size_t rank = 0;
  int64_t dims[EARSHOT_ORT_RANK_MAX];
  const char *names[EARSHOT_ORT_RANK_MAX];
  if (check(runtime, API(runtime, ort_element_type, Ort *, int *)(info, &type)) || check(runtime, API(runtime, ort_dimensions_count, Ort *, size_t *)(info, &rank)))
    return -1;
  if (rank > EARSHOT_ORT_RANK_MAX) return fail("a tensor of %zu dimensions", rank);
  if (check(runtime, API(runtime, ort_dimensions, Ort *, int64_t *, size_t)(info, dims, rank)) ||
      check(runtime, API(runtime, ort_symbolic_dimensions, Ort *, const char **, size_t)(info, names, rank)))
    return -1;
  fprintf(writer->out, "%d\t", type);
  for (size_t i = 0; i < rank; i++) {
    if (i) fputc(',', writer->out);
    if (dims[i] < 0 && names[i] && *names[i]) fputs(names[i], writer->out);
    else fprintf(writer->out, "%lld", (long long)dims[i]);
  }
  return 0;
}

static int describe_end(Writer *writer, Session *opened, int is_input, size_t i) {
  Runtime *runtime = writer->runtime;
  char **name = &opened->names[is_input ? i : opened->inputs + i];
  if (check(runtime, API(runtime, is_input ? ort_input_name : ort_output_name, Ort *, size_t, Ort *, char **)(opened->session, i, runtime->allocator, name))) return -1;
  fprintf(writer->out, "%s\t%s\t", is_input ? "in" : "out", *name);
  Ort *type = NULL;
  if (check(runtime, API(runtime, is_input ? ort_input_type_info : ort_output_type_info, Ort *, size_t, Ort **)(opened->session, i, &type))) return -1;
  Ort *shape = NULL; /* owned by the type */
  int failed = check(runtime, API(runtime, ort_cast_to_tensor_info, Ort *, Ort **)(type, &shape));
  if (!failed && shape) failed = describe_shape(writer, shape);
  else if (!failed) fputs("0\t", writer->out);
  RELEASE(runtime, ort_release_type_info, type);
  fputc('\n', writer->out);
  return failed;
}

static int describe(Session *opened) {
  Runtime *runtime = opened->runtime;
  if (check(runtime, API(runtime, ort_input_count, Ort *, size_t *)(opened->session, &opened->inputs)) ||
      check(runtime, API(runtime, ort_output_count, Ort *, size_t *)(opened->session, &opened->outputs)))
    return -1;
  size_t ends = opened->inputs + opened->outputs;
  opened->names = calloc(ends, sizeof *opened->names);
  opened->values = calloc(ends, sizeof *opened->values);
  opened->wanted = calloc(ends, sizeof *opened->wanted);
  size_t length = 0;
  Writer writer = {open_memstream(&opened->description, &length), runtime};
  if (!opened->names || !opened->values || !opened->wanted || !writer.out) return fail("out of memory");
  int failed = 0;
  for (size_t i = 0; i < opened->inputs && !failed; i++) failed = describe_end(&writer, opened, 1, i);
  for (size_t i = 0; i < opened->outputs && !failed; i++) failed = describe_end(&writer, opened, 0, i);
  fclose(writer.out);
  return failed;
}

static void free_session(Session *opened) {
  Runtime *runtime = opened->runtime;
  for (size_t i = 0; opened->names && i < opened->inputs + opened->outputs; i++)
    if (opened->names[i]) check(runtime, API(runtime, ort_allocator_free, Ort *, void *)(runtime->allocator, opened->names[i]));
  close_binding(opened);
  if (opened->session) RELEASE(runtime, ort_release_session, opened->session);
  if (opened->run_options) RELEASE(runtime, ort_release_run_options, opened->run_options);
  release_constants(opened);
  free(opened->names);
  free(opened->values);
  free(opened->wanted);
  free(opened->description);
  free(opened);
}

EXPORTED int64_t earshot_ort_open(int64_t handle, const char *path, const char *text) {
  Runtime *runtime = runtime_of(handle);
  Session *opened = calloc(1, sizeof *opened);
  char *words = strdup(text);
  Ort *options = NULL;
  int failed = !opened || !words ? fail("out of memory") : check(runtime, API(runtime, ort_create_session_options, Ort **)(&options));
  if (!failed) {
    opened->runtime = runtime;
    opened->constants_file = -1;
    failed = set_options(opened, options, words) ||
             check(runtime, API(runtime, ort_create_session, Ort *, const char *, Ort *, Ort **)(runtime->env, path, options, &opened->session)) || describe(opened) ||
             open_binding(opened);
    close_constants(opened);
  }
  if (options) RELEASE(runtime, ort_release_session_options, options);
  free(words);
  malloc_trim(0); /* loading needs twice the memory of the open graph, and glibc would keep it */
  if (!failed) return (int64_t)(intptr_t)opened;
  if (opened && opened->runtime) free_session(opened);
  else free(opened);
  return 0;
}

EXPORTED const char *earshot_ort_describe(int64_t session) { return session_of(session)->description; }

EXPORTED int32_t earshot_ort_close(int64_t session) {
  free_session(session_of(session));
  malloc_trim(0); /* a graph that was only tried */
  return 0;
}
