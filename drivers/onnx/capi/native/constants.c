/**
 * Values in the caller's memory instead of those in the graph (OrtApi::AddInitializer, which keeps pointers to them until the session ends). They are read from
 * the file and not mapped: in a file they begin anywhere, and a kernel that takes 64 bytes at a time would touch two cache lines each time.
 */
#define _GNU_SOURCE
#include "constants.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { cache_line = 64 };

/** A part of a file in memory. A file that took another's place has another inode or time. */
struct Block {
  Block *next;
  struct stat file;
  int64_t offset;
  int64_t bytes;
  size_t users;
  uint8_t *data;
};

struct Constant {
  Constant *next;
  Block *block;
  Ort *value;
};

static Block *blocks;

static int is_same_file(const struct stat *one, const struct stat *other) {
  return one->st_dev == other->st_dev && one->st_ino == other->st_ino && one->st_size == other->st_size && one->st_mtim.tv_sec == other->st_mtim.tv_sec &&
         one->st_mtim.tv_nsec == other->st_mtim.tv_nsec;
}

static void release_block(Block *block) {
  if (--block->users > 0) return;
  Block **at = &blocks;
  while (*at != block) at = &(*at)->next;
  *at = block->next;
  free(block->data);
  free(block);
}

static int read_block(int file, const Block *block) {
  for (int64_t done = 0; done < block->bytes;) {
    ssize_t got = pread(file, block->data + done, (size_t)(block->bytes - done), block->offset + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail("the constants can't be read: %s", strerror(errno));
    if (got == 0) return fail("the constants' file ends before them");
    done += got;
  }
  return 0;
}

/** @return NULL: failed */
static Block *take_block(const Session *opened, int64_t offset, int64_t bytes) {
  struct stat file;
  if (fstat(opened->constants_file, &file)) return fail("the constants' file can't be read: %s", strerror(errno)), NULL;
  if (offset < 0 || bytes <= 0 || bytes > file.st_size || offset > file.st_size - bytes) return fail("the constants' file ends before them"), NULL;
  for (Block *it = blocks; it; it = it->next)
    if (it->offset == offset && it->bytes == bytes && is_same_file(&it->file, &file)) return it->users++, it;
  Block *block = malloc(sizeof *block);
  if (!block) return fail("out of memory"), NULL;
  *block = (Block){.next = blocks, .file = file, .offset = offset, .bytes = bytes, .users = 1};
  block->data = aligned_alloc(cache_line, ((size_t)bytes + cache_line - 1) / cache_line * cache_line);
  blocks = block;
  if (!block->data) fail("out of memory");
  else if (!read_block(opened->constants_file, block)) return block;
  release_block(block);
  return NULL;
}

/** @param text numbers with commas between; modified. @return the number of elements; 0: no shape that a constant may have */
static int64_t take_dimensions(char *text, int64_t *dims, size_t *rank) {
  int64_t count = 1;
  char *word;
  for (*rank = 0; (word = strsep(&text, ",")); (*rank)++) {
    if (*rank == EARSHOT_ORT_RANK_MAX) return 0;
    char *end;
    int64_t dim = dims[*rank] = strtoll(word, &end, 10);
    if (*end || dim <= 0 || __builtin_mul_overflow(count, dim, &count)) return 0;
  }
  return count;
}

int open_constants(Session *opened, const char *path) {
  if (opened->constants_file >= 0) return fail("constants are in one file");
  opened->constants_file = open(path, O_RDONLY | O_CLOEXEC);
  return opened->constants_file < 0 ? fail("%.200s can't be opened: %s", path, strerror(errno)) : 0;
}

int hold_constant(Session *opened, Ort *options, char *text) {
  Runtime *runtime = opened->runtime;
  char *name = strsep(&text, " "), *offset = strsep(&text, " "), *type = strsep(&text, " ");
  if (opened->constants_file < 0) return fail("a constant without a file: %.100s", name);
  if (!text) return fail("a constant without its place: %.100s", name);
  int64_t dims[EARSHOT_ORT_RANK_MAX], bytes;
  size_t rank;
  int64_t count = take_dimensions(text, dims, &rank);
  int element = atoi(type);
  if (count == 0 || __builtin_mul_overflow(count, element_bytes(element), &bytes)) return fail("a constant of an impossible shape: %.100s", name);
  Constant *constant = calloc(1, sizeof *constant);
  if (!constant) return fail("out of memory");
  constant->block = take_block(opened, strtoll(offset, NULL, 10), bytes);
  if (!constant->block) return free(constant), -1;
  constant->next = opened->constants;
  opened->constants = constant;
  if (check(runtime, API(runtime, ort_create_tensor_with_data, Ort *, void *, size_t, const int64_t *, size_t, int, Ort **)(runtime->memory, constant->block->data, (size_t)bytes, dims, rank,
                                                                                                                          element, &constant->value)))
    return -1;
  count_values(1);
  return check(runtime, API(runtime, ort_add_initializer, Ort *, const char *, Ort *)(options, name, constant->value));
}

void close_constants(Session *opened) {
  if (opened->constants_file >= 0) close(opened->constants_file);
  opened->constants_file = -1;
}

void release_constants(Session *opened) {
  for (Constant *it = opened->constants, *next; it; it = next) {
    next = it->next;
    if (it->value) {
      RELEASE(opened->runtime, ort_release_value, it->value);
      count_values(-1);
    }
    release_block(it->block);
    free(it);
  }
  opened->constants = NULL;
}
