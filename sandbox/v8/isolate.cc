// This file owns an isolate's life: restoring it from the snapshot, its memory
// limits, entering it, terminating it, disposing of it.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <mutex>

#include "internal.h"

// Of ICU 71, which is part of the library; its headers are not.
extern "C" void ucal_setDefaultTimeZone_71(const char16_t* zone, int* status);

namespace isogate {

int64_t Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000000000 + now.tv_nsec;
}

// ---- External memory ----

void* CountingAllocator::Allocate(size_t length) {
  size_t now = used_.fetch_add(length) + length;
  //gate:protects external-limit
  if (now > limit_.load() || now < length) {
    used_.fetch_sub(length);
    refused_.fetch_add(1);
    return nullptr;
  }
  void* data = inner_->Allocate(length);
  if (data == nullptr) {
    used_.fetch_sub(length);
    refused_.fetch_add(1);
    return nullptr;
  }
  for (size_t peak = peak_.load(); now > peak && !peak_.compare_exchange_weak(peak, now);) {
  }
  return data;
}

// Uninitialised memory could hold what an earlier isolate left behind.
void* CountingAllocator::AllocateUninitialized(size_t length) { return Allocate(length); }

void CountingAllocator::Free(void* data, size_t length) {
  inner_->Free(data, length);
  used_.fetch_sub(length);
}

// ---- Heap ----

// What the heap is lent, a few times, while a termination is on its way to the
// program. Without it V8 ends the process at once.
constexpr size_t kHeapLoan = 32u << 20;
constexpr int kHeapLoans = 4;

static size_t OnNearHeapLimit(void* data, size_t current, size_t initial) {
  auto* self = static_cast<isogate_isolate*>(data);
  self->heap_exceeded.store(true);
  self->isolate->TerminateExecution();
  if (self->heap_loans >= kHeapLoans) return current;
  self->heap_loans++;
  return current + kHeapLoan;
}

static void Say(const char* what, const char* detail) {
  char line[256];
  int n = snprintf(line, sizeof line, "isogate: %s: %s\n", what, detail == nullptr ? "" : detail);
  if (n > static_cast<int>(sizeof line) - 1) n = sizeof line - 1;
  if (write(2, line, n) < 0) {
  }
}

static void OnOutOfMemory(const char* location, const v8::OOMDetails& details) {
  Say("out of memory", location);
  _exit(details.is_heap_oom ? ISOGATE_EXIT_HEAP : ISOGATE_EXIT_PROCESS);
}

static void OnFatal(const char* location, const char* message) {
  Say(location == nullptr ? "fatal" : location, message);
  _exit(ISOGATE_EXIT_FATAL);
}

static void OnGarbageCollection(v8::Isolate* isolate, v8::GCType, v8::GCCallbackFlags, void* data) {
  auto* self = static_cast<isogate_isolate*>(data);
  v8::HeapStatistics statistics;
  isolate->GetHeapStatistics(&statistics);
  if (statistics.used_heap_size() > self->peak_heap) self->peak_heap = statistics.used_heap_size();
}

// ---- Stack ----

// V8's own assumption is just under 1 MiB of stack. What the thread really has
// is asked from the system, so that a small stack ends in a RangeError and not
// in a fault. The main thread is never used: asking for its bounds reads /proc.
constexpr uintptr_t kStackWanted = 984u << 10;
constexpr uintptr_t kStackReserve = 192u << 10;

// Returns the lowest address that may be used.
static uintptr_t LimitStack(v8::Isolate* isolate) {
  char here;
  uintptr_t position = reinterpret_cast<uintptr_t>(&here);
  uintptr_t limit = position - kStackWanted;
#if defined(__linux__)
  pthread_attr_t attributes;
  void* low = nullptr;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
      uintptr_t floor = reinterpret_cast<uintptr_t>(low) + kStackReserve;
      if (limit < floor) limit = floor;
    }
    pthread_attr_destroy(&attributes);
  }
#endif
  isolate->SetStackLimit(limit);
  return limit;
}

void RestrictContext(v8::Local<v8::Context> context, bool allow_eval) {
  v8::Isolate* isolate = context->GetIsolate();
  context->AllowCodeGenerationFromStrings(allow_eval);
  context->SetErrorMessageForCodeGenerationFromStrings(
      ToV8(isolate, "Code generation from strings is off; the host can grant \"eval\""));
}

static bool RefuseWasm(v8::Local<v8::Context>, v8::Local<v8::String>) { return false; }

Entered::Entered(isogate_isolate* self)
    : isolate_scope_(self->isolate),
      handle_scope_(self->isolate),
      context_(self->context.Get(self->isolate)),
      context_scope_(context_) {
  inside_engine++;
}

Entered::~Entered() { inside_engine--; }

}  // namespace isogate

using isogate::Entered;

isogate_isolate* isogate_new(isogate_text snapshot, size_t heap_limit, uintptr_t handle, char** error) {
  isogate_text source, blob;
  if (!isogate::Unpack(snapshot, &source, &blob)) {
    *error = strdup("this is not a snapshot of the runtime");
    return nullptr;
  }
  isogate::inside_engine++;
  int64_t begun = isogate::Now();
  auto* self = new isogate_isolate;
  self->handle = handle;
  self->blob.data = blob.data;
  self->blob.raw_size = static_cast<int>(blob.size);
  self->source.set(source.data, source.size);
  isogate::FillReferences(self->references, &self->source);
  self->allocator.set_limit(heap_limit);  // until isogate_begin sets the real one

  v8::Isolate::CreateParams params;
  params.snapshot_blob = &self->blob;
  params.external_references = self->references;
  params.array_buffer_allocator = &self->allocator;
  params.allow_atomics_wait = false;
  params.fatal_error_callback = isogate::OnFatal;
  params.oom_error_callback = isogate::OnOutOfMemory;
  params.constraints.ConfigureDefaultsFromHeapSize(0, heap_limit);
  v8::Isolate* isolate = v8::Isolate::Allocate();
  self->isolate = isolate;
  isolate->SetData(0, self);
  v8::Isolate::Initialize(isolate, params);

  isolate->SetMicrotasksPolicy(v8::MicrotasksPolicy::kExplicit);
  isolate->SetCaptureStackTraceForUncaughtExceptions(false);
  isolate->AddNearHeapLimitCallback(isogate::OnNearHeapLimit, self);
  isolate->AddGCPrologueCallback(isogate::OnGarbageCollection, self);
  isolate->SetPromiseRejectCallback(isogate::OnPromiseReject);
  isolate->SetHostImportModuleDynamicallyCallback(isogate::OnImportDynamically);
  isolate->SetHostInitializeImportMetaObjectCallback(isogate::OnImportMeta);

  int64_t made = isogate::Now();
  self->isolate_time = made - begun;
  bool ok = false;
  {
    v8::Isolate::Scope isolate_scope(isolate);
    self->stack_limit = isogate::LimitStack(isolate);
    v8::HandleScope handles(isolate);
    v8::Local<v8::Context> context = v8::Context::New(isolate);
    v8::Context::Scope context_scope(context);
    self->context.Reset(isolate, context);
    isogate::RestrictContext(context, false);

    // Take the runtime's boot function off the global and call it.
    v8::TryCatch caught(isolate);
    v8::Local<v8::String> name = isogate::ToV8(isolate, "__isogate_boot");
    v8::Local<v8::Object> global = context->Global();
    v8::Local<v8::Value> boot, entries;
    v8::Local<v8::Function> host, native;
    if (global->Get(context, name).ToLocal(&boot) && boot->IsFunction() &&
        global->Delete(context, name).FromMaybe(false) &&
        v8::Function::New(context, isogate::HostFunction, v8::External::New(isolate, self), 0,
                          v8::ConstructorBehavior::kThrow)
            .ToLocal(&host) &&
        v8::Function::New(context, isogate::NativeFunction, v8::Local<v8::Value>(), 0, v8::ConstructorBehavior::kThrow)
            .ToLocal(&native)) {
      v8::Local<v8::Value> arguments[] = {host, native};
      if (boot.As<v8::Function>()->Call(context, v8::Undefined(isolate), 2, arguments).ToLocal(&entries) &&
          entries->IsArray()) {
        ok = true;
        for (int i = 0; ok && i < isogate::kEntryCount; i++) {
          v8::Local<v8::Value> entry;
          ok = entries.As<v8::Array>()->Get(context, i).ToLocal(&entry) && entry->IsFunction();
          if (ok) self->entries[i].Reset(isolate, entry.As<v8::Function>());
        }
      }
    }
    if (!ok) {
      std::string text = "the snapshot's runtime did not boot";
      if (caught.HasCaught()) text += ": " + isogate::ToStd(isolate, caught.Exception());
      *error = strdup(text.c_str());
    }
  }
  // Only now: formatting a stack calls one of the entries.
  if (ok) isolate->SetPrepareStackTraceCallback(isogate::OnPrepareStackTrace);
  self->context_time = isogate::Now() - made;
  isogate::inside_engine--;
  if (!ok) {
    isogate_dispose(self);
    return nullptr;
  }
  return self;
}

void isogate_restore_times(isogate_isolate* self, int64_t nanoseconds[2]) {
  nanoseconds[0] = self->isolate_time;
  nanoseconds[1] = self->context_time;
}

int isogate_plain_run(isogate_text source, size_t heap_limit, int64_t nanoseconds[3]) {
  isogate::inside_engine++;
  int64_t begun = isogate::Now();
  std::unique_ptr<v8::ArrayBuffer::Allocator> allocator(v8::ArrayBuffer::Allocator::NewDefaultAllocator());
  v8::Isolate::CreateParams params;
  params.array_buffer_allocator = allocator.get();
  params.constraints.ConfigureDefaultsFromHeapSize(0, heap_limit);
  v8::Isolate* isolate = v8::Isolate::New(params);
  nanoseconds[0] = isogate::Now() - begun;
  bool ok = false;
  {
    v8::Isolate::Scope isolate_scope(isolate);
    isogate::LimitStack(isolate);
    v8::HandleScope handles(isolate);
    int64_t made = isogate::Now();
    v8::Local<v8::Context> context = v8::Context::New(isolate);
    nanoseconds[1] = isogate::Now() - made;
    v8::Context::Scope context_scope(context);
    v8::Local<v8::Script> script;
    v8::Local<v8::Value> function, value;
    ok = v8::Script::Compile(context, isogate::ToV8(isolate, source)).ToLocal(&script) &&
         script->Run(context).ToLocal(&function) && function->IsFunction() &&
         function.As<v8::Function>()->Call(context, v8::Undefined(isolate), 0, nullptr).ToLocal(&value);
  }
  v8::platform::NotifyIsolateShutdown(isogate::platform(), isolate);
  isolate->Dispose();
  nanoseconds[2] = isogate::Now() - begun;
  isogate::inside_engine--;
  return ok ? 0 : -1;
}

void isogate_dispose(isogate_isolate* self) {
  isogate::inside_engine++;
  self->rejections.clear();
  self->modules.clear();
  self->imports.clear();
  self->realms.clear();
  self->deferred.clear();
  for (auto& entry : self->entries) entry.Reset();
  self->context.Reset();
  v8::platform::NotifyIsolateShutdown(isogate::platform(), self->isolate);
  self->isolate->Dispose();
  delete self;
  isogate::inside_engine--;
}

void isogate_begin(isogate_isolate* self, size_t external_limit, int allow_eval, int allow_wasm,
                   isogate_text config, isogate_outcome* outcome) {
  Entered entered(self);
  self->stack_limit = isogate::LimitStack(self->isolate);
  self->allocator.set_limit(external_limit);
  //gate:protects external-limit
  //gate:equivalent removed in the default profile V8 has no WebAssembly; the control webassembly-for-everybody removes both
  if (allow_wasm == 0) {
    // V8 installs it after the snapshot is restored, so it is deleted now: what
    // the snapshot put in its place could be deleted by the guest.
    entered.context()->Global()->Delete(entered.context(), isogate::ToV8(self->isolate, "WebAssembly")).FromMaybe(false);
    self->isolate->SetAllowWasmCodeGenerationCallback(isogate::RefuseWasm);
  }
  isogate::RestrictContext(entered.context(), allow_eval != 0);
  v8::TryCatch caught(self->isolate);
  v8::Local<v8::Value> arguments[] = {isogate::ToV8(self->isolate, config)};
  if (isogate::CallEntry(self, entered.context(), isogate::kBegin, 1, arguments).IsEmpty()) {
    if (self->isolate->IsExecutionTerminating() || caught.HasTerminated()) {
      isogate::SetOutcome(outcome, ISOGATE_TERMINATED);
      return;
    }
    isogate::SetOutcome(outcome, ISOGATE_INTERNAL, "begin failed: " + isogate::ToStd(self->isolate, caught.Exception()));
    return;
  }
  isogate::SetOutcome(outcome, ISOGATE_OK);
}

void isogate_set_time_zone(isogate_isolate* self, const char* name) {
  static std::mutex mutex;
  static std::string current;  // guarded by mutex
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (current != name) {
      current = name;
      std::u16string zone(current.begin(), current.end());  // names are ASCII
      int status = 0;
      ucal_setDefaultTimeZone_71(zone.c_str(), &status);
    }
  }
  // V8 remembers the zone of the isolate, and dates in the snapshot remember their local
  // time: both are told. Nothing is asked of the environment.
  self->isolate->DateTimeConfigurationChangeNotification(v8::Isolate::TimeZoneDetection::kSkip);
}

void isogate_terminate(isogate_isolate* self) { self->isolate->TerminateExecution(); }

int isogate_heap_exceeded(isogate_isolate* self) { return self->heap_exceeded.load() ? 1 : 0; }

void isogate_statistics(isogate_isolate* self, isogate_stats* stats) {
  v8::Isolate::Scope scope(self->isolate);
  v8::HeapStatistics heap;
  self->isolate->GetHeapStatistics(&heap);
  stats->used_heap = heap.used_heap_size();
  stats->peak_heap = heap.used_heap_size() > self->peak_heap ? heap.used_heap_size() : self->peak_heap;
  stats->heap_limit = heap.heap_size_limit();
  stats->external = self->allocator.used();
  stats->peak_external = self->allocator.peak();
  stats->external_refused = self->allocator.refused();
}
