/** A tile's code written out for one to six rows: each sum is a variable of its own, because gcc 12 keeps an array of sums in memory, which takes twice the time. */
#ifndef EARSHOT_ROWS_H
#define EARSHOT_ROWS_H

enum { six_rows = 6 };
#define EACH_ROW(WHAT) WHAT(0) WHAT(1) WHAT(2) WHAT(3) WHAT(4) WHAT(5)

#endif
