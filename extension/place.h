/* Where the library's file is put, so that DuckDB can attach it. */
#include <stdbool.h>
#include <stddef.h>

#define MOST_OF_A_PATH 4096

extern const unsigned char sqlanon_library[], sqlanon_library_end[]; /* library.S */

/* Puts the path of a complete file into path, which has MOST_OF_A_PATH bytes; or says why there is none.

   The file lies beside the extension, under a name of its version, and is used again by whoever loads this
   extension next. It belongs to the user, nobody else can read or write it, and it has its name only once it
   is complete. is_temporary: it is to be removed as soon as it is open. */
bool place_library(char path[], bool *is_temporary, char why[], size_t room);
void remove_library(const char *path);
