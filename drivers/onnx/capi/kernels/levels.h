/** Sets of instructions that kernels are compiled for, and levels: which of them may be used. */
#ifndef EARSHOT_LEVELS_H
#define EARSHOT_LEVELS_H

/** Bits. Each set is asked for by itself: there are processors with every combination. */
typedef unsigned Sets;
#if defined __x86_64__
enum { set_avx2 = 1, set_avx_vnni = 2, set_avx512 = 4, set_avx512_vnni = 8, set_avx512_bf16 = 16 };
#elif defined __aarch64__
enum { set_neon = 1, set_dotprod = 2, set_fp16 = 4, set_i8mm = 8, set_bf16 = 16 };
#endif

typedef struct {
  const char *name;
  Sets allowed;
} Level;

/** From no kernels at all to all of this kind of processor; the last entry has no name. */
extern const Level levels[];

/** The longest of the two lists, without its end. */
enum { levels_max = 5 };

/** What the processor and the operating system say they have. */
Sets sets_here(void);

#endif
