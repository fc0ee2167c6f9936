/** Runs of a graph on a device that has memory of its own. */
#ifndef EARSHOT_ORT_BINDING_H
#define EARSHOT_ORT_BINDING_H

#include "runtime.h"

/** After the session is made: what it was told of a device. Where its memory can't be read, nothing stays there. @return 0 or -1 */
int open_binding(Session *opened);

void close_binding(Session *opened);

/** @param inputs how many this run has. */
void begin_bound(Session *opened, size_t inputs);

/** Input `place` of this run, which is input `number` of the graph. @param stamp 0, or the same as in the last run: it is there already. @return 0 or -1 */
int bind_input(Session *opened, size_t place, size_t number, double stamp);

/** Outputs that have a value are written there, the others are made on the device. @return 0 or -1 */
int run_bound(Session *opened, size_t inputs, size_t outputs);

#endif
