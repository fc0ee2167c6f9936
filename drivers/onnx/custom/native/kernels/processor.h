/** Which instructions this processor has. */
#ifndef EARSHOT_PROCESSOR_H
#define EARSHOT_PROCESSOR_H

/** What vectors.h is compiled for. */
int vectors_fit(void);
/** Products of 8-bit codes (products.h): AVX-512 VNNI. */
int products_fit(void);
/** Products of bfloat16 (attend.h): AVX-512 BF16. */
int attention_fits(void);

#endif
