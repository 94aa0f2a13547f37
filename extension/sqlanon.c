/* LOAD sqlanon: attaches the library of macros that this file carries, read-only, as the database `sqlanon`.

   DuckDB's stable C API for extensions (v1.2.0) is a struct of pointers to functions in a fixed order. Only
   those up to the last one that is called here are declared, so that no header of DuckDB is needed. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "library.h"
#include "place.h"

typedef void *handle;
typedef struct {
    uint64_t counts[3];
    void *columns;
    char *message;
    void *internal;
} result;

struct access {
    void (*set_error)(handle info, const char *message);
    handle *(*get_database)(handle info);
    const void *(*get_api)(handle info, const char *version);
};
struct api {
    void *open, *open_ext, *close;
    int (*connect)(handle database, handle *connection);
    void *interrupt, *query_progress;
    void (*disconnect)(handle *connection);
    void *library_version, *create_config, *config_count, *get_config_flag, *set_config, *destroy_config;
    int (*query)(handle connection, const char *sql, result *out);
    void (*destroy_result)(result *out);
    void *column_name, *column_type, *statement_type, *column_logical_type, *column_count, *rows_changed;
    const char *(*result_error)(result *out);
};

static const char SCHEMA[] = "select error('') from duckdb_schemas() where lower(schema_name) = 'sqlanon' "
                             "and database_name = current_database()";
static const char DATABASE[] = "select error('') from duckdb_databases() "
                               "where lower(database_name) = 'sqlanon'";
static const char FITS[] = "select case when sqlanon._fingerprint() <> '" FINGERPRINT "' then error('') end";

/* Runs a statement; if it fails, why has DuckDB's reason. */
static bool run(const struct api *api, handle con, const char *sql, char why[], size_t room) {
    result out = {{0}, NULL, NULL, NULL};
    bool done = api->query(con, sql, &out) == 0;
    const char *message = done ? NULL : api->result_error(&out);
    snprintf(why, room, "%s", message ? message : "");
    api->destroy_result(&out);
    return done;
}

static bool attach(const struct api *api, handle con, const char *path, char why[], size_t room) {
    size_t length = 0;
    char *sql = malloc(2 * MOST_OF_A_PATH + 64);
    if (!sql) return false;
    length += sprintf(sql, "attach '");
    for (const char *c = path; *c && length < 2 * MOST_OF_A_PATH; c++) {
        if (*c == '\'') sql[length++] = '\'';
        sql[length++] = *c;
    }
    sprintf(sql + length, "' as sqlanon (read_only)");
    bool done = run(api, con, sql, why, room);
    free(sql);
    return done;
}

/* What keeps the library from being attached; an empty text if it is. */
static void load(const struct api *api, handle con, char message[], size_t room) {
    char path[MOST_OF_A_PATH], why[1000];
    bool is_temporary = false;
    message[0] = '\0';
    if (!run(api, con, SCHEMA, why, sizeof why)) {
        snprintf(message, room, "your database has a schema \"sqlanon\", so that sqlanon.mondrian could mean "
                                "two things: rename the schema");
    } else if (!run(api, con, DATABASE, why, sizeof why)) {
        if (!run(api, con, FITS, why, sizeof why))
            snprintf(message, room, "another database is attached under the name \"sqlanon\", which the "
                                    "macros need. If it is yours, attach it under another name; if it is the "
                                    "library in another version, DETACH sqlanon before you LOAD this one");
    } else if (!place_library(path, &is_temporary, why, sizeof why)) {
        snprintf(message, room, "the library could not be written: %s", why);
    } else {
        bool done = attach(api, con, path, why, sizeof why);
        if (is_temporary) remove_library(path); /* the engine has it open */
        if (!done) snprintf(message, room, "the library could not be attached: %s", why);
    }
}

#ifdef _WIN32
__declspec(dllexport)
#else
__attribute__((visibility("default")))
#endif
bool sqlanon_init_c_api(handle info, struct access *access) {
    const struct api *api = access->get_api(info, "v1.2.0");
    handle con = NULL;
    char message[2000];
    if (!api) return false; /* DuckDB says why */
    if (api->connect(*access->get_database(info), &con) != 0) {
        access->set_error(info, "sqlanon: no connection to the database");
        return false;
    }
    load(api, con, message, sizeof message);
    api->disconnect(&con);
    if (message[0]) access->set_error(info, message);
    return !message[0];
}
