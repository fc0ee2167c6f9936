/** Every Whisper has heads of 64. */
#ifndef EARSHOT_HEAD_H
#define EARSHOT_HEAD_H

enum { head_size = 64 };

#endif
