// What the C++ files of the shim share: the isolate's own record.
#ifndef ISOGATE_INTERNAL_H
#define ISOGATE_INTERNAL_H

#if !__has_include(<v8.h>)
#error "V8's headers are not here. In a clone of isogate, run: make deps"
#endif

#include <libplatform/libplatform.h>
#include <v8.h>

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "shim.h"

namespace isogate {

// Indices of the entry functions that the runtime's boot returns (entry.js).
enum Entry {
  kBegin = 0,
  kRunFunction,
  kRunModule,
  kReportThrown,
  kSettle,
  kFireTimer,
  kPrepareStack,
  kUnhandledRejection,
  kModuleError,
  kMaterialise,
  kDeferredNamespace,
  kEntryCount,
};

// Counts ArrayBuffer memory, refuses it beyond a limit and zero-fills it
// always. It delegates to V8's default allocator because the memory must lie
// inside the V8 sandbox. V8 may call it from its own threads.
class CountingAllocator final : public v8::ArrayBuffer::Allocator {
 public:
  CountingAllocator() : inner_(v8::ArrayBuffer::Allocator::NewDefaultAllocator()) {}
  void* Allocate(size_t length) override;
  void* AllocateUninitialized(size_t length) override;
  void Free(void* data, size_t length) override;

  void set_limit(size_t limit) { limit_.store(limit); }
  size_t used() const { return used_.load(); }
  size_t peak() const { return peak_.load(); }
  size_t refused() const { return refused_.load(); }

 private:
  std::unique_ptr<v8::ArrayBuffer::Allocator> inner_;
  std::atomic<size_t> limit_{0};
  std::atomic<size_t> used_{0};
  std::atomic<size_t> peak_{0};
  std::atomic<size_t> refused_{0};
};

// The library's source as a string that V8 keeps outside its heaps, so that no isolate
// has a copy. The text must outlive every isolate that uses it.
class SourceText final : public v8::String::ExternalOneByteStringResource {
 public:
  void set(const char* data, size_t length) {
    data_ = data;
    length_ = length;
  }
  const char* data() const override { return data_; }
  size_t length() const override { return length_; }
  // V8 is done with the string; the text belongs to somebody else.
  void Dispose() override {}

 private:
  const char* data_ = nullptr;
  size_t length_ = 0;
};

// How many references FillReferences makes, the zero at the end included.
constexpr int kReferenceCount = 4;

v8::Platform* platform();

// The monotonic clock, in nanoseconds.
int64_t Now();

// How deep this thread is inside the engine; a fault is the engine's only then.
extern thread_local int inside_engine;

// What settles the promise of an import() once the module has been evaluated.
struct DynamicImport {
  v8::Global<v8::Promise::Resolver> resolver;
  v8::Global<v8::Value> module_namespace;
  bool deferred = false;  // it is settled with the default export
};

// A module that is imported deferred, by its specifier.
struct Deferred {
  // The module that deferred imports of it get. Its default export is the namespace.
  v8::Global<v8::Module> wrapper;
};

// Fills an outcome; every function of the interface that has one calls it once.
void SetOutcome(isogate_outcome* outcome, int status, const std::string& message = "");
void SetSyntaxOutcome(isogate_outcome* outcome, v8::Isolate* isolate, v8::Local<v8::Context> context,
                      v8::Local<v8::Message> message);

v8::Local<v8::String> ToV8(v8::Isolate* isolate, isogate_text text);
v8::Local<v8::String> ToV8(v8::Isolate* isolate, const char* text);
std::string ToStd(v8::Isolate* isolate, v8::Local<v8::Value> value);

void RestrictContext(v8::Local<v8::Context> context, bool allow_eval);

}  // namespace isogate

struct isogate_isolate {
  v8::Isolate* isolate = nullptr;
  uintptr_t handle = 0;
  v8::StartupData blob{nullptr, 0};
  isogate::SourceText source;
  // What the snapshot refers to outside itself.
  intptr_t references[isogate::kReferenceCount] = {};
  isogate::CountingAllocator allocator;
  v8::Global<v8::Context> context;
  v8::Global<v8::Function> entries[isogate::kEntryCount];

  // Virtual modules: their sources, and those that have been compiled.
  std::map<std::string, std::string> sources;
  std::map<std::string, v8::Global<v8::Module>> modules;
  std::vector<std::unique_ptr<isogate::DynamicImport>> imports;
  std::map<std::string, isogate::Deferred> deferred;
  // The import that named nothing, found while loading a graph of modules.
  bool module_missing = false;
  std::string missing_specifier, missing_importer;

  // Rejected promises that nobody handles, until they are reported.
  struct Rejection {
    v8::Global<v8::Promise> promise;
    v8::Global<v8::Value> reason;
    bool handled = false;  // somebody has handled it since it was reported
  };
  std::vector<Rejection> rejections;

  // The lowest address of the stack that V8 may use.
  uintptr_t stack_limit = 0;
  // Further realms, which have their own library (realm.cc); none in the product.
  struct Realm {
    v8::Global<v8::Context> context;
    v8::Global<v8::Function> materialise;
  };
  std::vector<Realm> realms;

  std::atomic<bool> heap_exceeded{false};
  int heap_loans = 0;
  size_t peak_heap = 0;

  // Nanoseconds that making the isolate took, and its context.
  int64_t isolate_time = 0, context_time = 0;
};

namespace isogate {

// Enters the isolate and its context for the length of a C++ scope, and tells
// the signal handler that this thread is inside the engine.
class Entered {
 public:
  explicit Entered(isogate_isolate* self);
  ~Entered();
  v8::Local<v8::Context> context() const { return context_; }

 private:
  v8::Isolate::Scope isolate_scope_;
  v8::HandleScope handle_scope_;
  v8::Local<v8::Context> context_;
  v8::Context::Scope context_scope_;
};

// Calls one of the runtime's entry functions. An empty result means that it
// threw (which it never does) or was terminated.
v8::MaybeLocal<v8::Value> CallEntry(isogate_isolate* self, v8::Local<v8::Context> context, Entry entry, int argc,
                                    v8::Local<v8::Value> argv[]);
// Runs microtasks, reports unhandled rejections, and sets the outcome: OK or TERMINATED.
void FinishEntry(isogate_isolate* self, v8::Local<v8::Context> context, isogate_outcome* outcome);

// snapshot.cc
// Finds the source and V8's own blob in what isogate_snapshot made. False when it is not that.
bool Unpack(isogate_text snapshot, isogate_text* source, isogate_text* blob);
// host.cc
// Asks Go on behalf of the shim itself, as the host function does for the runtime.
int64_t CallHost(isogate_isolate* self, int op, isogate_text a, isogate_text b, double first, double second);
void HostFunction(const v8::FunctionCallbackInfo<v8::Value>& info);
void OnPromiseReject(v8::PromiseRejectMessage message);
v8::MaybeLocal<v8::Value> OnPrepareStackTrace(v8::Local<v8::Context> context, v8::Local<v8::Value> error,
                                              v8::Local<v8::Array> sites);
// native.cc
void NativeFunction(const v8::FunctionCallbackInfo<v8::Value>& info);
// define(object, key, index, enumerable), a function for the script that the snapshot is made of:
// gives an object a property whose value is materialise(key, index) (entry.js). Returns whether it did.
void DefineLazyProperty(const v8::FunctionCallbackInfo<v8::Value>& info);
// Fills in what a snapshot refers to outside itself, in the order that making and restoring share.
void FillReferences(intptr_t references[kReferenceCount], SourceText* source);
// module.cc
v8::MaybeLocal<v8::Module> CompileModule(isogate_isolate* self, v8::Local<v8::String> source, const char* name);
// Compiles all that a module imports statically, and what that imports. False
// when something does not exist (module_missing) or does not parse (exception).
bool LoadGraph(isogate_isolate* self, v8::Local<v8::Context> context, v8::Local<v8::Module> root,
               const std::string& root_name);
// Links a module, and those that it and what it imports import deferred. False on an exception.
bool Link(isogate_isolate* self, v8::Local<v8::Context> context, v8::Local<v8::Module> root);
// Finds or compiles the virtual module behind a specifier. Empty when it does
// not exist, or when it does not parse, and then with a pending exception.
v8::MaybeLocal<v8::Module> Find(isogate_isolate* self, const std::string& specifier, const std::string& importer);
// Returns the module whose error an evaluated module has to fail with, empty when there is none.
v8::MaybeLocal<v8::Module> Failed(isogate_isolate* self, v8::Local<v8::Context> context, v8::Local<v8::Module> module);
v8::MaybeLocal<v8::Module> OnResolveModule(v8::Local<v8::Context> context, v8::Local<v8::String> specifier,
                                           v8::Local<v8::FixedArray> assertions, v8::Local<v8::Module> referrer);
v8::MaybeLocal<v8::Promise> OnImportDynamically(v8::Local<v8::Context> context, v8::Local<v8::Data> options,
                                                v8::Local<v8::Value> referrer, v8::Local<v8::String> specifier,
                                                v8::Local<v8::FixedArray> assertions);

// deferred.cc
// The phase that an import is in, as a lowered text says it (Go file
// sandbox/lower_phases.go). width is how many entries one assertion has.
enum Phase { kEvaluation, kDefer, kSource };
Phase PhaseOf(v8::Local<v8::Context> context, v8::Local<v8::FixedArray> assertions, int width);
constexpr int kStaticWidth = 3, kDynamicWidth = 2;
// Makes the module that deferred imports of a loaded one get. False on an exception.
bool Defer(isogate_isolate* self, v8::Local<v8::Context> context, const std::string& specifier);
void OnImportMeta(v8::Local<v8::Context> context, v8::Local<v8::Module> module, v8::Local<v8::Object> meta);

inline isogate_isolate* Self(v8::Isolate* isolate) { return static_cast<isogate_isolate*>(isolate->GetData(0)); }

}  // namespace isogate

#endif  // ISOGATE_INTERNAL_H
