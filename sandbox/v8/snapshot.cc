// This file owns the making of the startup snapshot, and its layout:
//
//   8 bytes  "isogate1"
//   8 bytes  length of the library's source, in the machine's byte order
//   the source, one byte a character, and zeros up to a multiple of 8
//   V8's own blob
//
// The source stands beside V8's blob because V8 would copy it into the heap of every
// isolate. In the blob it is an external string, which every isolate finds by a reference.
#include <stdint.h>
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

static const char kMagic[] = "isogate1";
constexpr size_t kHeader = 16;

static size_t Padded(size_t size) { return (size + 7) / 8 * 8; }

namespace isogate {

bool Unpack(isogate_text snapshot, isogate_text* source, isogate_text* blob) {
  if (snapshot.size < kHeader || memcmp(snapshot.data, kMagic, 8) != 0) return false;
  uint64_t length;
  memcpy(&length, snapshot.data + 8, 8);
  if (length > snapshot.size - kHeader || Padded(length) >= snapshot.size - kHeader) return false;
  *source = {snapshot.data + kHeader, static_cast<size_t>(length)};
  size_t at = kHeader + Padded(length);
  *blob = {snapshot.data + at, snapshot.size - at};
  return true;
}

}  // namespace isogate

static bool IsOneByte(isogate_text text) {
  for (size_t i = 0; i < text.size; i++) {
    if (static_cast<unsigned char>(text.data[i]) > 0x7f) return false;
  }
  return true;
}

static bool Compile(v8::Isolate* isolate, isogate::SourceText* text, const char* name,
                    v8::Local<v8::UnboundScript>* library) {
  v8::Local<v8::String> source;
  if (!v8::String::NewExternalOneByte(isolate, text).ToLocal(&source)) return false;
  v8::ScriptOrigin origin(isolate, isogate::ToV8(isolate, name));
  v8::ScriptCompiler::Source unit(source, origin);
  return v8::ScriptCompiler::CompileUnboundScript(isolate, &unit).ToLocal(library);
}

// Runs the library in the current context. It takes what it finds in two globals, which no
// isolate has: the function that defines lazy properties, and whether to run what most
// programs use (js/warm.js). That is done in a context that is dropped then: the functions that
// ran stay compiled, and nothing that they made is kept.
static bool Install(v8::Isolate* isolate, v8::Local<v8::UnboundScript> library, bool warming) {
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  v8::Local<v8::Object> global = context->Global();
  v8::Local<v8::String> lazy = isogate::ToV8(isolate, "__isogate_lazy");
  v8::Local<v8::String> warm = isogate::ToV8(isolate, "__isogate_warm");
  v8::Local<v8::Function> define;
  v8::Local<v8::Value> value;
  return v8::Function::New(context, isogate::DefineLazyProperty, v8::Local<v8::Value>(), 0,
                           v8::ConstructorBehavior::kThrow)
             .ToLocal(&define) &&
         global->Set(context, lazy, define).FromMaybe(false) &&
         global->Set(context, warm, v8::Boolean::New(isolate, warming)).FromMaybe(false) &&
         library->BindToCurrentContext()->Run(context).ToLocal(&value) &&
         global->Delete(context, lazy).FromMaybe(false) && global->Delete(context, warm).FromMaybe(false);
}

char* isogate_snapshot(isogate_text source, const char* name, size_t* size, char** error) {
  if (!IsOneByte(source)) {
    *error = Copy("the runtime's source is not ASCII");
    return nullptr;
  }
  isogate::SourceText text;
  text.set(source.data, source.size);
  intptr_t references[isogate::kReferenceCount];
  isogate::FillReferences(references, &text);
  alignas(v8::SnapshotCreator) unsigned char storage[sizeof(v8::SnapshotCreator)];
  isogate_snapshot_creator(storage, references, nullptr);
  auto* creator = reinterpret_cast<v8::SnapshotCreator*>(storage);
  v8::Isolate* isolate = creator->GetIsolate();
  bool ok = false;
  {
    v8::HandleScope handles(isolate);
    v8::TryCatch caught(isolate);
    v8::Local<v8::UnboundScript> library;
    {
      v8::Context::Scope scope(v8::Context::New(isolate));
      ok = Compile(isolate, &text, name, &library) && Install(isolate, library, true);
    }
    v8::Local<v8::Context> context = v8::Context::New(isolate);
    v8::Context::Scope scope(context);
    ok = ok && Install(isolate, library, false);
    if (!ok) {
      std::string why = "the runtime failed: ";
      why += isogate::ToStd(isolate, caught.Exception());
      if (!caught.Message().IsEmpty()) {
        why += " at line " + std::to_string(caught.Message()->GetLineNumber(context).FromMaybe(0));
        why += ", column " + std::to_string(caught.Message()->GetStartColumn(context).FromMaybe(0) + 1);
      }
      *error = Copy(why);
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
  size_t at = kHeader + Padded(source.size);
  *size = at + blob.raw_size;
  char* out = static_cast<char*>(calloc(1, *size));
  memcpy(out, kMagic, 8);
  uint64_t length = source.size;
  memcpy(out + 8, &length, 8);
  memcpy(out + kHeader, source.data, source.size);
  memcpy(out + at, blob.data, blob.raw_size);
  delete[] blob.data;
  return out;
}
