// This file owns the making of the startup snapshot.
#include <stdlib.h>
#include <string.h>

#include "internal.h"

// The headers declare SnapshotCreator's constructor with a const StartupData*,
// which the library does not have: V8 10.9 takes a StartupData*. So it is
// declared here by the name that the library exports, and called on storage of
// the class's size. abi_test.go keeps watch over it.
extern "C" void isogate_snapshot_creator(void* self, const intptr_t* external_references,
                                         v8::StartupData* existing_blob)
#if defined(__APPLE__)
    __asm__("__ZN2v815SnapshotCreatorC1EPKlPNS_11StartupDataE");
#else
    __asm__("_ZN2v815SnapshotCreatorC1EPKlPNS_11StartupDataE");
#endif

static char* Copy(const std::string& text) { return strdup(text.c_str()); }

char* isogate_snapshot(isogate_text source, const char* name, size_t* size, char** error) {
  alignas(v8::SnapshotCreator) unsigned char storage[sizeof(v8::SnapshotCreator)];
  isogate_snapshot_creator(storage, nullptr, nullptr);
  auto* creator = reinterpret_cast<v8::SnapshotCreator*>(storage);
  v8::Isolate* isolate = creator->GetIsolate();
  bool ok = false;
  {
    v8::HandleScope handles(isolate);
    v8::Local<v8::Context> context = v8::Context::New(isolate);
    v8::Context::Scope scope(context);
    v8::TryCatch caught(isolate);
    v8::ScriptOrigin origin(isolate, isogate::ToV8(isolate, name));
    v8::ScriptCompiler::Source unit(isogate::ToV8(isolate, source), origin);
    v8::Local<v8::Script> script;
    v8::Local<v8::Value> value;
    if (v8::ScriptCompiler::Compile(context, &unit).ToLocal(&script) && script->Run(context).ToLocal(&value)) {
      ok = true;
    } else {
      std::string text = "the runtime failed: ";
      text += isogate::ToStd(isolate, caught.Exception());
      if (!caught.Message().IsEmpty()) {
        text += " at line " + std::to_string(caught.Message()->GetLineNumber(context).FromMaybe(0));
      }
      *error = Copy(text);
    }
    // Set in either case: CreateBlob must run before the creator is destroyed.
    creator->SetDefaultContext(context);
  }
  v8::StartupData blob = creator->CreateBlob(v8::SnapshotCreator::FunctionCodeHandling::kKeep);
  creator->~SnapshotCreator();
  if (!ok) {
    delete[] blob.data;
    return nullptr;
  }
  if (blob.data == nullptr) {
    *error = Copy("V8 made no snapshot");
    return nullptr;
  }
  // With a constant hash seed, hash flooding would work.
  if (!blob.CanBeRehashed()) {
    delete[] blob.data;
    *error = Copy("the snapshot cannot be rehashed");
    return nullptr;
  }
  char* out = static_cast<char*>(malloc(blob.raw_size));
  memcpy(out, blob.data, blob.raw_size);
  *size = blob.raw_size;
  delete[] blob.data;
  return out;
}
