#include "candidates.h"

const char *const kernel_names[] = {
    [of_linear] = "linear",
    [of_coarse_linear] = "coarse-linear",
    [of_attention] = "attention",
    [of_cross_attention] = "cross-attention",
    [of_self_attention] = "self-attention",
    [of_softmax_sum] = "softmax-sum",
    [of_swoosh] = "swoosh",
    [of_filterbank] = "filterbank",
};
_Static_assert(sizeof kernel_names / sizeof *kernel_names == kernel_count, "a name for each kernel");

/** What simd/ gives for one set of instructions. */
#define DECLARE_LINEAR(set) extern const LinearKernel set##_linear;
#define DECLARE_COARSE(set) extern const CoarseKernel set##_coarse_linear;
#define DECLARE_FLOAT(set)                                     \
  int set##_attention(const AttentionArgs *args);              \
  int set##_cross_attention(const CrossAttentionArgs *args);   \
  int set##_self_attention(const SelfAttentionArgs *args);     \
  extern const SoftmaxKernel set##_softmax_sum;                \
  void set##_swoosh(const SwooshArgs *args);                   \
  void set##_filterbank(const FilterbankArgs *args);

#define LINEAR(set, instructions, needs) {of_linear, instructions, needs, {.linear = &set##_linear}}
#define COARSE(set, instructions, needs) {of_coarse_linear, instructions, needs, {.coarse_linear = &set##_coarse_linear}}
#define ATTENTION(set, instructions, needs) {of_attention, instructions, needs, {.attention = set##_attention}}
#define FLOAT(set, instructions, needs)                                                         \
  ATTENTION(set, instructions, needs),                                                          \
  {of_cross_attention, instructions, needs, {.cross_attention = set##_cross_attention}},        \
  {of_self_attention, instructions, needs, {.self_attention = set##_self_attention}},           \
  {of_softmax_sum, instructions, needs, {.softmax_sum = &set##_softmax_sum}},                   \
  {of_swoosh, instructions, needs, {.swoosh = set##_swoosh}},                                   \
  {of_filterbank, instructions, needs, {.filterbank = set##_filterbank}}

#if defined __x86_64__
DECLARE_LINEAR(avx2)
DECLARE_LINEAR(avx_vnni)
DECLARE_LINEAR(avx512)
DECLARE_LINEAR(avx512_vnni)
DECLARE_COARSE(avx2)
DECLARE_COARSE(avx_vnni)
DECLARE_COARSE(avx512)
DECLARE_COARSE(avx512_vnni)
DECLARE_FLOAT(avx2)
DECLARE_FLOAT(avx512)
int avx512_bf16_attention(const AttentionArgs *args);

const Candidate candidates[] = {
    LINEAR(avx2, "avx2", set_avx2),
    LINEAR(avx512, "avx512", set_avx512),
    LINEAR(avx_vnni, "avx-vnni", set_avx2 | set_avx_vnni),
    LINEAR(avx512_vnni, "avx512-vnni", set_avx512 | set_avx512_vnni),
    COARSE(avx2, "avx2", set_avx2),
    COARSE(avx512, "avx512", set_avx512),
    COARSE(avx_vnni, "avx-vnni", set_avx2 | set_avx_vnni),
    COARSE(avx512_vnni, "avx512-vnni", set_avx512 | set_avx512_vnni),
    FLOAT(avx2, "avx2", set_avx2),
    FLOAT(avx512, "avx512", set_avx512),
    ATTENTION(avx512_bf16, "avx512-bf16", set_avx512 | set_avx512_bf16),
};
#elif defined __aarch64__
DECLARE_LINEAR(neon)
DECLARE_LINEAR(dotprod)
DECLARE_LINEAR(i8mm)
DECLARE_COARSE(neon)
DECLARE_COARSE(dotprod)
DECLARE_FLOAT(neon)
int fp16_attention(const AttentionArgs *args);
int bf16_attention(const AttentionArgs *args);

const Candidate candidates[] = {
    LINEAR(neon, "neon", set_neon),
    LINEAR(dotprod, "dotprod", set_dotprod),
    LINEAR(i8mm, "i8mm", set_i8mm),
    COARSE(neon, "neon", set_neon),
    COARSE(dotprod, "dotprod", set_dotprod),
    FLOAT(neon, "neon", set_neon),
    ATTENTION(fp16, "fp16", set_fp16),
    ATTENTION(bf16, "bf16", set_bf16),
};
#endif

const size_t candidate_count = sizeof candidates / sizeof *candidates;
