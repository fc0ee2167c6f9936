/** Constants that graphs of this process have in common: a decoder's weights, which the graph that scores texts has too, are read from their file and held once. */
#ifndef EARSHOT_ORT_CONSTANTS_H
#define EARSHOT_ORT_CONSTANTS_H

#include "runtime.h"

/** Whose constants the next ones are. @return 0 or -1 */
int open_constants(Session *opened, const char *path);

/** Gives the session a constant. @param text NAME OFFSET TYPE DIMENSIONS, see earshot_ort_open; modified. @return 0 or -1 */
int hold_constant(Session *opened, Ort *options, char *text);

/** After the session is opened: the file is closed. */
void close_constants(Session *opened);

/** After the session is released. */
void release_constants(Session *opened);

#endif
