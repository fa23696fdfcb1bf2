//go:build realms

// This file owns further realms of an isolate: contexts with globals of their own, for
// the conformance runner alone. The build tag keeps it out of every other binary.
#include "internal.h"

namespace isogate {

// Stands in for the host function: a further realm reaches no host.
static void NoHost(const v8::FunctionCallbackInfo<v8::Value>& info) { info.GetReturnValue().Set(0); }

// Returns the global object of a new realm, whose code may be generated from strings.
static void CreateRealm(const v8::FunctionCallbackInfo<v8::Value>& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> caller = isolate->GetCurrentContext();
  v8::Local<v8::Context> context = v8::Context::New(isolate);
  context->SetSecurityToken(caller->GetSecurityToken());
  v8::Local<v8::Object> global = context->Global();
  {
    v8::Context::Scope scope(context);
    RestrictContext(context, true);
    v8::Local<v8::String> name = ToV8(isolate, "__isogate_boot");
    v8::Local<v8::Value> boot, entries;
    v8::Local<v8::Function> host, native;
    if (!global->Get(context, name).ToLocal(&boot) || !boot->IsFunction() ||
        !global->Delete(context, name).FromMaybe(false) ||
        !global->Delete(context, ToV8(isolate, "WebAssembly")).FromMaybe(false) ||
        !v8::Function::New(context, NoHost, v8::Local<v8::Value>(), 0, v8::ConstructorBehavior::kThrow).ToLocal(&host) ||
        !v8::Function::New(context, NativeFunction, v8::Local<v8::Value>(), 0, v8::ConstructorBehavior::kThrow)
             .ToLocal(&native)) {
      return;
    }
    v8::Local<v8::Value> arguments[] = {host, native};
    v8::Local<v8::Value> materialise;
    if (!boot.As<v8::Function>()->Call(context, v8::Undefined(isolate), 2, arguments).ToLocal(&entries) ||
        !entries->IsArray() || !entries.As<v8::Array>()->Get(context, kMaterialise).ToLocal(&materialise) ||
        !materialise->IsFunction()) {
      return;
    }
    isogate_isolate::Realm realm;
    realm.context.Reset(isolate, context);
    realm.materialise.Reset(isolate, materialise.As<v8::Function>());
    Self(isolate)->realms.push_back(std::move(realm));
  }
  info.GetReturnValue().Set(global);
}

}  // namespace isogate

extern "C" int isogate_offer_realms(isogate_isolate* self, const char* name) {
  isogate::Entered entered(self);
  v8::Local<v8::Context> context = entered.context();
  v8::TryCatch caught(self->isolate);
  v8::Local<v8::Function> create;
  bool ok = v8::Function::New(context, isogate::CreateRealm, v8::Local<v8::Value>(), 0, v8::ConstructorBehavior::kThrow)
                .ToLocal(&create) &&
            context->Global()
                ->DefineOwnProperty(context, isogate::ToV8(self->isolate, name), create, v8::DontEnum)
                .FromMaybe(false);
  return ok ? 1 : 0;
}
