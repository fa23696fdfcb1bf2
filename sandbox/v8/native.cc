// This file owns the native function, through which the runtime asks for what
// JavaScript cannot do or does badly (runtime/js/native.js), and the lazy properties.
#include <stdlib.h>
#include <string.h>

#include "internal.h"

// Implemented in Go (native_cgo.go). bytes may be NULL; the answer's text is malloc'ed.
extern "C" void isogateNativeCall(uintptr_t handle, int op, isogate_text first, isogate_text second, void* bytes,
                                  size_t size, double number, double other, isogate_native_answer* answer);

namespace isogate {

// The engine's own operations.
enum { kKindOf = 1, kTransfer = 2, kUtf8Length = 3, kUtf8Write = 4, kUtf8Read = 5 };

static int KindOf(v8::Local<v8::Value> value) {
  int kind = 0;
  if (value->IsProxy()) kind |= 1;
  if (value->IsNativeError()) kind |= 2;
  if (value->IsPromise()) kind |= 4;
  if (value->IsArgumentsObject()) kind |= 8;
  if (value->IsModuleNamespaceObject()) kind |= 16;
  if (value->IsGeneratorObject()) kind |= 32;
  if (value->IsWeakMap() || value->IsWeakSet() || value->IsWeakRef()) kind |= 64;
  if (value->IsMapIterator() || value->IsSetIterator()) kind |= 128;
  if (value->IsExternal()) kind |= 256;
  if (value->IsBooleanObject()) kind |= 512;
  if (value->IsNumberObject()) kind |= 1024;
  if (value->IsBigIntObject()) kind |= 2048;
  if (value->IsStringObject()) kind |= 4096;
  if (value->IsSymbolObject()) kind |= 8192;
  if (value->IsDate()) kind |= 16384;
  if (value->IsRegExp()) kind |= 32768;
  if (value->IsMap()) kind |= 65536;
  if (value->IsSet()) kind |= 131072;
  if (value->IsArrayBuffer()) kind |= 262144;
  if (value->IsArrayBufferView()) kind |= 524288;
  return kind;
}

// The memory that a typed array or DataView covers. It stays where it is for as long
// as nothing runs that could detach it.
struct Bytes {
  explicit Bytes(v8::Local<v8::Value> value) {
    if (!value->IsArrayBufferView()) return;
    v8::Local<v8::ArrayBufferView> view = value.As<v8::ArrayBufferView>();
    size = view->ByteLength();
    if (size > 0) data = static_cast<char*>(view->Buffer()->Data()) + view->ByteOffset();
  }
  char* data = nullptr;
  size_t size = 0;
};

static void ThrowTooLong(v8::Isolate* isolate) {
  isolate->ThrowException(v8::Exception::RangeError(ToV8(isolate, "Invalid string length")));
}

// Reports whether bytes are valid UTF-8 (RFC 3629).
static bool IsUtf8(const unsigned char* p, size_t size) {
  const unsigned char* end = p + size;
  while (p < end) {
    if (*p < 0x80) {
      p++;
      continue;
    }
    int more;
    unsigned char low = 0x80, high = 0xbf;
    if (*p >= 0xc2 && *p <= 0xdf) {
      more = 1;
    } else if (*p >= 0xe0 && *p <= 0xef) {
      more = 2;
      if (*p == 0xe0) low = 0xa0;
      if (*p == 0xed) high = 0x9f;
    } else if (*p >= 0xf0 && *p <= 0xf4) {
      more = 3;
      if (*p == 0xf0) low = 0x90;
      if (*p == 0xf4) high = 0x8f;
    } else {
      return false;
    }
    p++;
    for (int i = 0; i < more; i++, p++, low = 0x80, high = 0xbf) {
      if (p == end || *p < low || *p > high) return false;
    }
  }
  return true;
}

static void Utf8Read(const v8::FunctionCallbackInfo<v8::Value>& info) {
  v8::Isolate* isolate = info.GetIsolate();
  Bytes bytes(info[1]);
  if (info[2]->IsTrue() && !IsUtf8(reinterpret_cast<unsigned char*>(bytes.data), bytes.size)) return;
  if (bytes.size > static_cast<size_t>(v8::String::kMaxLength)) return ThrowTooLong(isolate);
  v8::Local<v8::String> text;
  if (bytes.size == 0) {
    text = v8::String::Empty(isolate);
  } else if (!v8::String::NewFromUtf8(isolate, bytes.data, v8::NewStringType::kNormal, static_cast<int>(bytes.size))
                  .ToLocal(&text)) {
    return ThrowTooLong(isolate);
  }
  info.GetReturnValue().Set(text);
}

static void Utf8Write(const v8::FunctionCallbackInfo<v8::Value>& info) {
  v8::Isolate* isolate = info.GetIsolate();
  Bytes bytes(info[2]);
  int read = 0, written = 0;
  if (info[1]->IsString() && bytes.size > 0) {
    int capacity = bytes.size > INT32_MAX ? INT32_MAX : static_cast<int>(bytes.size);
    written = info[1].As<v8::String>()->WriteUtf8(isolate, bytes.data, capacity, &read,
                                                  v8::String::NO_NULL_TERMINATION | v8::String::REPLACE_INVALID_UTF8);
  }
  v8::Local<v8::Value> figures[] = {v8::Integer::New(isolate, read), v8::Integer::New(isolate, written)};
  info.GetReturnValue().Set(v8::Array::New(isolate, figures, 2));
}

// The same memory under another ArrayBuffer; the old one is detached.
static void Transfer(const v8::FunctionCallbackInfo<v8::Value>& info) {
  if (!info[1]->IsArrayBuffer()) return;
  v8::Local<v8::ArrayBuffer> buffer = info[1].As<v8::ArrayBuffer>();
  if (!buffer->IsDetachable()) return;
  std::shared_ptr<v8::BackingStore> store = buffer->GetBackingStore();
  if (!buffer->Detach(v8::Local<v8::Value>()).FromMaybe(false)) return;
  info.GetReturnValue().Set(v8::ArrayBuffer::New(info.GetIsolate(), std::move(store)));
}

// Hands an operation of the library to Go: up to two texts, one view, two numbers.
static void Library(const v8::FunctionCallbackInfo<v8::Value>& info, int op) {
  v8::Isolate* isolate = info.GetIsolate();
  isogate_text texts[2] = {{nullptr, 0}, {nullptr, 0}};
  std::unique_ptr<v8::String::Utf8Value> held[2];
  double numbers[2] = {0, 0};
  v8::Local<v8::Value> view = v8::Undefined(isolate);
  int next_text = 0, next_number = 0;
  for (int i = 1; i < info.Length(); i++) {
    if (info[i]->IsString() && next_text < 2) {
      held[next_text] = std::make_unique<v8::String::Utf8Value>(isolate, info[i]);
      texts[next_text] = {**held[next_text], static_cast<size_t>(held[next_text]->length())};
      next_text++;
    } else if (info[i]->IsNumber() && next_number < 2) {
      numbers[next_number++] = info[i].As<v8::Number>()->Value();
    } else if (info[i]->IsBoolean() && next_number < 2) {
      numbers[next_number++] = info[i]->IsTrue() ? 1 : 0;
    } else if (info[i]->IsArrayBufferView()) {
      view = info[i];
    }
  }
  Bytes bytes(view);
  isogate_native_answer answer;
  memset(&answer, 0, sizeof answer);
  // While Go runs, a fault on this thread is Go's.
  int depth = inside_engine;
  inside_engine = 0;
  isogateNativeCall(Self(isolate)->handle, op, texts[0], texts[1], bytes.data, bytes.size, numbers[0], numbers[1],
                    &answer);
  inside_engine = depth;

  v8::Local<v8::Value> text;
  if (answer.data != nullptr) {
    size_t units = answer.utf16 ? answer.size / 2 : answer.size;
    v8::Local<v8::String> made;
    bool ok = units <= static_cast<size_t>(v8::String::kMaxLength);
    if (ok && units == 0) {
      made = v8::String::Empty(isolate);
    } else if (ok && answer.utf16) {
      ok = v8::String::NewFromTwoByte(isolate, reinterpret_cast<uint16_t*>(answer.data), v8::NewStringType::kNormal,
                                      static_cast<int>(units))
               .ToLocal(&made);
    } else if (ok) {
      ok = v8::String::NewFromUtf8(isolate, answer.data, v8::NewStringType::kNormal, static_cast<int>(units))
               .ToLocal(&made);
    }
    free(answer.data);
    if (!ok) return ThrowTooLong(isolate);
    text = made;
  }
  if (answer.has_number == 0) {
    if (!text.IsEmpty()) info.GetReturnValue().Set(text);
    return;
  }
  v8::Local<v8::Value> number = v8::Number::New(isolate, answer.number);
  if (text.IsEmpty()) {
    info.GetReturnValue().Set(number);
  } else {
    v8::Local<v8::Value> both[] = {text, number};
    info.GetReturnValue().Set(v8::Array::New(isolate, both, 2));
  }
}

void NativeFunction(const v8::FunctionCallbackInfo<v8::Value>& info) {
  v8::Isolate* isolate = info.GetIsolate();
  int op = info[0]->IsInt32() ? info[0].As<v8::Int32>()->Value() : 0;
  switch (op) {
    case kKindOf:
      info.GetReturnValue().Set(KindOf(info[1]));
      return;
    case kTransfer:
      return Transfer(info);
    case kUtf8Length:
      info.GetReturnValue().Set(info[1]->IsString() ? info[1].As<v8::String>()->Utf8Length(isolate) : 0);
      return;
    case kUtf8Write:
      return Utf8Write(info);
    case kUtf8Read:
      return Utf8Read(info);
    default:
      if (op >= ISOGATE_NATIVE_LIBRARY) Library(info, op);
  }
}

// ---- Lazy properties ----

// Makes the value of a lazy property when it is first read. V8 then puts it in the
// property's place, as an ordinary data property.
static void LazyValue(v8::Local<v8::Name> name, const v8::PropertyCallbackInfo<v8::Value>& info) {
  v8::Isolate* isolate = info.GetIsolate();
  auto* self = Self(isolate);
  v8::Local<v8::Context> context;
  if (!info.Holder()->GetCreationContext().ToLocal(&context)) return;
  v8::Local<v8::Function> materialise = self->entries[kMaterialise].Get(isolate);
  for (auto& realm : self->realms) {
    if (realm.context == context) materialise = realm.materialise.Get(isolate);
  }
  v8::Local<v8::Value> arguments[] = {name, info.Data()};
  v8::Local<v8::Value> value;
  if (materialise->Call(context, v8::Undefined(isolate), 2, arguments).ToLocal(&value)) {
    info.GetReturnValue().Set(value);
  }
}

void DefineLazyProperty(const v8::FunctionCallbackInfo<v8::Value>& info) {
  v8::Local<v8::Context> context = info.GetIsolate()->GetCurrentContext();
  bool ok = info.Length() == 4 && info[0]->IsObject() && info[1]->IsName() &&
            info[0].As<v8::Object>()
                ->SetLazyDataProperty(context, info[1].As<v8::Name>(), LazyValue, info[2],
                                      info[3]->IsTrue() ? v8::None : v8::DontEnum)
                .FromMaybe(false);
  info.GetReturnValue().Set(ok);
}

void FillReferences(intptr_t references[kReferenceCount], SourceText* source) {
  references[0] = reinterpret_cast<intptr_t>(source);
  references[1] = reinterpret_cast<intptr_t>(&LazyValue);
  references[2] = reinterpret_cast<intptr_t>(&DefineLazyProperty);
  references[3] = 0;
}

}  // namespace isogate
