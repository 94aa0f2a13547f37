/* Windows. Beside the extension means within the user's profile, whose files others cannot read; where the
   folder cannot be written, LOAD fails. */
#include <windows.h>

#include <stdio.h>
#include <string.h>

#include "library.h"
#include "place.h"

static DWORD size(void) { return (DWORD)(sqlanon_library_end - sqlanon_library); }

/* Has the file these very bytes? */
static bool is_ours(const wchar_t *path) {
    unsigned char bytes[1 << 14];
    DWORD done = 0, got = 0;
    LARGE_INTEGER length;
    HANDLE file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL, OPEN_EXISTING, 0,
                              NULL);
    if (file == INVALID_HANDLE_VALUE) return false;
    bool same = GetFileSizeEx(file, &length) && length.QuadPart == (LONGLONG)size();
    while (same && done < size()) {
        same = ReadFile(file, bytes, sizeof bytes, &got, NULL) && got > 0 &&
               memcmp(bytes, sqlanon_library + done, got) == 0;
        done += got;
    }
    CloseHandle(file);
    return same;
}

static bool write_all(const wchar_t *path) {
    DWORD written = 0;
    HANDLE file = CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE) return false;
    bool done = WriteFile(file, sqlanon_library, size(), &written, NULL) && written == size();
    return CloseHandle(file) && done;
}

bool place_library(char path[], bool *is_temporary, char why[], size_t room) {
    wchar_t folder[MAX_PATH], wide[MAX_PATH + 64], unfinished[MAX_PATH];
    HMODULE module;
    *is_temporary = false;
    if (!GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                            (LPCWSTR)(void *)place_library, &module) ||
        GetModuleFileNameW(module, folder, MAX_PATH) == MAX_PATH || !wcsrchr(folder, L'\\')) {
        snprintf(why, room, "the path of the extension is too long");
        return false;
    }
    *wcsrchr(folder, L'\\') = L'\0';
    _snwprintf(wide, MAX_PATH + 64, L"%ls\\sqlanon-%.16hs.duckdb", folder, FINGERPRINT);
    if (!is_ours(wide)) {
        if (!GetTempFileNameW(folder, L"sql", 0, unfinished)) {
            snprintf(why, room, "the folder of the extension cannot be written (error %lu)", GetLastError());
            return false;
        }
        bool done = write_all(unfinished) && MoveFileExW(unfinished, wide, MOVEFILE_REPLACE_EXISTING);
        DWORD reason = GetLastError();
        if (!done) DeleteFileW(unfinished);
        if (!done && !is_ours(wide)) { /* another process was first, and has it open */
            snprintf(why, room, "the folder of the extension cannot be written (error %lu)", reason);
            return false;
        }
    }
    return WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, MOST_OF_A_PATH, NULL, NULL) > 0;
}

void remove_library(const char *path) { (void)path; }
