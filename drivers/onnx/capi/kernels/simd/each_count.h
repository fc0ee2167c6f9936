/** `multiply_rows` compiled for each number of rows of a tile: 4 or 6. */
#define FOR_COUNT(rows) case rows: multiply_rows(rows, codes, k, after_gelu, weights, sums); break;

/** codes [rows][k] times a panel [k / 4, 64, 4] -> sums. */
static void multiply_tile(size_t rows, const uint8_t *codes, size_t k, int after_gelu, const int8_t *weights, Sums sums) {
  switch (rows) {
    FOR_COUNT(1)
    FOR_COUNT(2)
    FOR_COUNT(3)
    FOR_COUNT(4)
#if !defined ROWS_MAX_FOUR
    FOR_COUNT(5)
    FOR_COUNT(6)
#endif
  }
}
