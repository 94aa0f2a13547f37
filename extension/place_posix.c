/* Linux and macOS. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "library.h"
#include "place.h"

static size_t size(void) { return (size_t)(sqlanon_library_end - sqlanon_library); }

/* Is it the user's own file, closed to others, with these very bytes? */
static bool is_ours(const char *path) {
    struct stat state;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return false;
    bool same = fstat(file, &state) == 0 && S_ISREG(state.st_mode) && state.st_uid == geteuid() &&
                !(state.st_mode & (S_IRWXG | S_IRWXO)) && (size_t)state.st_size == size();
    if (same) {
        void *bytes = mmap(NULL, size(), PROT_READ, MAP_PRIVATE, file, 0);
        same = bytes != MAP_FAILED && memcmp(bytes, sqlanon_library, size()) == 0;
        if (bytes != MAP_FAILED) munmap(bytes, size());
    }
    close(file);
    return same;
}

/* A file of a new name, which ends in XXXXXX in path. */
static bool write_new(char path[]) {
    int file = mkstemp(path); /* for its owner alone */
    size_t done = 0;
    if (file < 0) return false;
    while (done < size()) {
        ssize_t written = write(file, sqlanon_library + done, size() - done);
        if (written > 0) done += (size_t)written;
        else if (written == 0 || errno != EINTR) break;
    }
    int reason = errno;
    if (close(file) == 0 && done == size()) return true;
    unlink(path);
    errno = reason;
    return false;
}

/* The folder of the extension, with a slash. */
static bool own_folder(char folder[]) {
    Dl_info found;
    char *real = dladdr((const void *)place_library, &found) ? realpath(found.dli_fname, NULL) : NULL;
    if (!real) return false;
    bool fits = strlen(real) < MOST_OF_A_PATH - 64;
    if (fits) {
        strcpy(folder, real);
        strrchr(folder, '/')[1] = '\0';
    }
    free(real);
    return fits;
}

bool place_library(char path[], bool *is_temporary, char why[], size_t room) {
    char folder[MOST_OF_A_PATH], unfinished[MOST_OF_A_PATH];
    const char *reason = "its folder is not known";
    *is_temporary = false;
    if (own_folder(folder)) {
        snprintf(path, MOST_OF_A_PATH, "%ssqlanon-%.16s.duckdb", folder, FINGERPRINT);
        if (is_ours(path)) return true;
        snprintf(unfinished, sizeof unfinished, "%s.XXXXXX", path);
        if (write_new(unfinished)) {
            if (rename(unfinished, path) == 0) return true;
            reason = strerror(errno);
            unlink(unfinished);
        } else
            reason = strerror(errno);
    }
    const char *elsewhere = getenv("TMPDIR");
    if (!elsewhere || !*elsewhere) elsewhere = "/tmp";
    *is_temporary = true;
    if (snprintf(path, MOST_OF_A_PATH, "%s/sqlanon-XXXXXX", elsewhere) < MOST_OF_A_PATH && write_new(path))
        return true;
    snprintf(why, room, "neither beside the extension (%s) nor in %.200s (%s). Set TMPDIR to a folder with "
                        "%zu MB that you may write to", reason, elsewhere, strerror(errno), size() / 1000000 + 1);
    return false;
}

void remove_library(const char *path) { unlink(path); }
