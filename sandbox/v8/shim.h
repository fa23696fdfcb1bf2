// The C interface between Go and V8: all that the Go side of this package
// calls, coarse on purpose, so that one execution crosses it a few times only.
//
// Rules of the whole interface:
//  - Text is UTF-8 with an explicit length. Texts given to a function stay the
//    caller's; texts in an isogate_outcome are malloc'ed and freed by
//    isogate_outcome_free.
//  - An isolate is used by one thread, the one that made it, except
//    isogate_terminate and isogate_heap_exceeded, which any thread may call
//    between isogate_new and isogate_dispose.
#ifndef ISOGATE_SHIM_H
#define ISOGATE_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct isogate_isolate isogate_isolate;

// How an entry into the isolate ended.
enum {
  ISOGATE_OK = 0,                // it returned; the run may go on
  ISOGATE_SYNTAX = 1,            // the text does not parse; position is set
  ISOGATE_MODULE_NOT_FOUND = 2,  // message is the specifier, resource the importer
  ISOGATE_THROWN = 3,            // guest code threw; the runtime has reported it
  ISOGATE_TERMINATED = 4,        // the isolate was terminated
  ISOGATE_INTERNAL = 5,          // the shim or the runtime broke its own rules
};

typedef struct {
  int status;
  char* message;
  char* resource;     // script or module name that the position is in
  int line;           // 1-based
  int column;         // 1-based, UTF-16 code units
  char* source_line;  // the source line at that position
} isogate_outcome;

void isogate_outcome_free(isogate_outcome* outcome);

// Exit statuses that say why the engine ended the process.
enum {
  ISOGATE_EXIT_HEAP = 71,     // V8 ran out of its heap limit
  ISOGATE_EXIT_FATAL = 72,    // V8 reported a fatal error
  ISOGATE_EXIT_PROCESS = 73,  // the operating system refused memory
  ISOGATE_EXIT_SIGNAL = 128,  // and the number of the signal that could not end the process
};

// The operations of the one host function, see runtime/js/entry.js.
enum {
  ISOGATE_OP_CALL = 1,
  ISOGATE_OP_LOG = 2,
  ISOGATE_OP_TIMER_START = 3,
  ISOGATE_OP_TIMER_CLEAR = 4,
  ISOGATE_OP_RESULT = 5,
  ISOGATE_OP_FAULT = 6,
  ISOGATE_OP_POSITION = 7,
  ISOGATE_OP_LOWER = 8,  // asked by the shim: a module does not parse; see module.cc
  ISOGATE_OP_NOW = 9,
  ISOGATE_OP_TIME_ORIGIN = 10,
  ISOGATE_OP_SUSPENDS = 11,  // asked by the shim: whether a module has a top-level await; see deferred.cc
};

typedef struct {
  const char* data;
  size_t size;
} isogate_text;

// From this number on, operations of the native function are answered by Go; those
// below are the engine's own (native.cc). See runtime/js/native.js.
enum { ISOGATE_NATIVE_LIBRARY = 32 };

// What Go answers to an operation of the native function.
typedef struct {
  char* data;     // malloc'ed, freed by the shim; NULL: there is no text
  size_t size;    // bytes
  int utf16;      // the text is UTF-16 in the machine's byte order, else UTF-8
  int has_number; // the answer is the number, or the text and the number
  double number;
} isogate_native_answer;

// Initialises V8 for this process, once. Flags are V8's own. threads is the
// number of V8 worker threads. Installs signal dispositions so that a crash of
// the engine ends the process with the true signal.
void isogate_init(const char* flags, int threads);
const char* isogate_version(void);

// Fills values with the figures that the headers promise and the library must
// keep (see abi_test.go). Returns how many were written, at most max.
int isogate_abi(int64_t* values, int max);

// Builds a snapshot whose default context has run source, which is ASCII. On success returns
// it (malloc'ed) and its size; on failure NULL and *error (malloc'ed).
char* isogate_snapshot(isogate_text source, const char* name, size_t* size, char** error);

// For measuring what the library costs: makes an isolate and a context from V8's own
// default snapshot, without the library, runs a script that evaluates to a function, calls
// that, and disposes of the isolate. Fills nanoseconds with the time of the making of the
// isolate, of the context, and of all. Returns 0, or -1 when anything failed.
int isogate_plain_run(isogate_text source, size_t heap_limit, int64_t nanoseconds[3]);

// Makes an isolate from a snapshot. The snapshot must outlive the isolate. handle
// is given back in every host call.
isogate_isolate* isogate_new(isogate_text snapshot, size_t heap_limit, uintptr_t handle, char** error);
// How long the making of the isolate took, and that of its context with all that is
// installed in it then, in nanoseconds.
void isogate_restore_times(isogate_isolate* isolate, int64_t nanoseconds[2]);
void isogate_dispose(isogate_isolate* isolate);

// Prepares the isolate for its one run: external memory limit, code generation
// from strings, WebAssembly (where the process has it), and the runtime's own
// configuration (see entry.js, begin).
void isogate_begin(isogate_isolate* isolate, size_t external_limit, int allow_eval, int allow_wasm,
                   isogate_text config, isogate_outcome* outcome);
// Sets the local time zone, the name of one, of the isolate and of those that are
// made after it: it is one setting of the process. Called before any guest code runs.
void isogate_set_time_zone(isogate_isolate* isolate, const char* name);
// Makes a virtual module available to imports. It is compiled when imported.
void isogate_add_module(isogate_isolate* isolate, isogate_text specifier, isogate_text source);

// Compiles text without running it; is_module says as what.
void isogate_check(isogate_isolate* isolate, isogate_text source, const char* name, int is_module,
                   isogate_outcome* outcome);
// Runs a script before the program. What it declares stays in scope; its value is dropped.
void isogate_run_before(isogate_isolate* isolate, isogate_text source, const char* name, isogate_outcome* outcome);
// Runs the program. input.data may be NULL for undefined. What the program
// gives back arrives through host calls, now or after later entries.
void isogate_run(isogate_isolate* isolate, isogate_text source, const char* name, int is_module, isogate_text input,
                 isogate_outcome* outcome);
// Delivers a tool's reply envelope.
void isogate_settle(isogate_isolate* isolate, int64_t call, isogate_text envelope, isogate_outcome* outcome);
// Fires a timer.
void isogate_fire(isogate_isolate* isolate, int64_t timer, isogate_outcome* outcome);
// Runs the platform's pending tasks and the microtasks they leave. Returns 1
// when a task ran.
int isogate_pump(isogate_isolate* isolate, isogate_outcome* outcome);

void isogate_terminate(isogate_isolate* isolate);
// Reports whether the heap limit was reached.
int isogate_heap_exceeded(isogate_isolate* isolate);

typedef struct {
  size_t used_heap;
  size_t peak_heap;
  size_t heap_limit;
  size_t external;
  size_t peak_external;
  size_t external_refused;  // allocations refused because of the limit
} isogate_stats;

void isogate_statistics(isogate_isolate* isolate, isogate_stats* stats);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // ISOGATE_SHIM_H
