// This file owns deferred imports (proposal "Deferred Imports Evaluation",
// https://tc39.es/proposal-defer-import-eval/), which V8 10.9 does not know. A text that
// has one is lowered (Go file sandbox/lower_phases.go): its imports say the phase as an
// assertion, and import the default export of a wrapper, a module that is made here.
//
// The wrapper of a module imports what of the module's graph has a top-level await, which
// is evaluated eagerly, and exports the deferred namespace, an object of the runtime
// (runtime/js/deferred_namespace.js) that evaluates the module when it is first used.
#include <set>

#include "internal.h"

namespace isogate {

Phase PhaseOf(v8::Local<v8::Context> context, v8::Local<v8::FixedArray> assertions, int width) {
  v8::Isolate* isolate = context->GetIsolate();
  for (int i = 0; i + 1 < assertions->Length(); i += width) {
    if (ToStd(isolate, assertions->Get(context, i).As<v8::Value>()) != "phase") continue;
    std::string value = ToStd(isolate, assertions->Get(context, i + 1).As<v8::Value>());
    if (value == "defer") return kDefer;
    if (value == "source") return kSource;
  }
  return kEvaluation;
}

static bool Suspends(isogate_isolate* self, const std::string& specifier) {
  return CallHost(self, ISOGATE_OP_SUSPENDS, {specifier.data(), specifier.size()}, {"", 0}, 0, 0) != 0;
}

// GatherAsynchronousTransitiveDependencies, of modules that are all compiled.
static void Gather(isogate_isolate* self, v8::Local<v8::Context> context, const std::string& specifier,
                   std::set<std::string>* seen, std::vector<std::string>* found) {
  v8::Local<v8::Module> module;
  if (!seen->insert(specifier).second || !Find(self, specifier, "").ToLocal(&module)) return;
  if (Suspends(self, specifier)) {
    found->push_back(specifier);
    return;
  }
  v8::Local<v8::FixedArray> requests = module->GetModuleRequests();
  for (int i = 0; i < requests->Length(); i++) {
    Gather(self, context, ToStd(self->isolate, requests->Get(context, i).As<v8::ModuleRequest>()->GetSpecifier()), seen,
           found);
  }
}

bool Defer(isogate_isolate* self, v8::Local<v8::Context> context, const std::string& specifier) {
  if (self->deferred.count(specifier) != 0) return true;
  std::set<std::string> seen;
  std::vector<std::string> eager;
  Gather(self, context, specifier, &seen, &eager);
  std::string text;
  for (const std::string& name : eager) {
    v8::Local<v8::String> literal;
    if (!v8::JSON::Stringify(context, ToV8(self->isolate, {name.data(), name.size()})).ToLocal(&literal)) return false;
    text += "import " + ToStd(self->isolate, literal) + ";";
  }
  text += "export default import.meta.namespace;";
  v8::Local<v8::Module> wrapper;
  if (!CompileModule(self, ToV8(self->isolate, {text.data(), text.size()}), "isogate:runtime").ToLocal(&wrapper)) {
    return false;
  }
  self->deferred[specifier].wrapper.Reset(self->isolate, wrapper);
  return true;
}

// ReadyForSyncExecution.
static bool IsReady(isogate_isolate* self, v8::Local<v8::Context> context, const std::string& specifier,
                    std::set<std::string>* seen) {
  v8::Local<v8::Module> module;
  if (!seen->insert(specifier).second || !Find(self, specifier, "").ToLocal(&module)) return true;
  switch (module->GetStatus()) {
    case v8::Module::kErrored:
      return true;
    case v8::Module::kEvaluating:
      return false;
    case v8::Module::kEvaluated: {
      // V8's status is the same while a module waits for an await.
      v8::Local<v8::Value> evaluation;
      return !Failed(self, context, module).IsEmpty() || !module->IsGraphAsync() ||
             (module->Evaluate(context).ToLocal(&evaluation) &&
              evaluation.As<v8::Promise>()->State() != v8::Promise::kPending);
    }
    default:
      break;
  }
  if (Suspends(self, specifier)) return false;
  v8::Local<v8::FixedArray> requests = module->GetModuleRequests();
  for (int i = 0; i < requests->Length(); i++) {
    std::string next = ToStd(self->isolate, requests->Get(context, i).As<v8::ModuleRequest>()->GetSpecifier());
    if (!IsReady(self, context, next, seen)) return false;
  }
  return true;
}

// Reports whether there is stack left for an evaluation, which goes one call deeper with
// each module. V8 ends the process when it runs out of stack between two modules.
static bool HasStack(isogate_isolate* self) {
  char here;
  size_t needed = (64u << 10) + (self->modules.size() << 10);
  return reinterpret_cast<uintptr_t>(&here) > self->stack_limit + needed;
}

// EvaluateModuleSync, of the module whose specifier is the data: throws its error.
static void OnEvaluateNow(const v8::FunctionCallbackInfo<v8::Value>& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  auto* self = Self(isolate);
  std::string specifier = ToStd(isolate, info.Data());
  v8::Local<v8::Module> module, broken;
  if (!HasStack(self)) {
    isolate->ThrowException(v8::Exception::RangeError(ToV8(isolate, "Maximum call stack size exceeded")));
    return;
  }
  if (!Find(self, specifier, "").ToLocal(&module)) return;
  if (Failed(self, context, module).ToLocal(&broken)) {
    isolate->ThrowException(broken->GetException());
    return;
  }
  std::set<std::string> seen;
  if (!IsReady(self, context, specifier, &seen)) {
    isolate->ThrowException(v8::Exception::TypeError(
        ToV8(isolate, "A deferred module cannot be evaluated while it, or what it imports, is being evaluated")));
    return;
  }
  if (module->GetStatus() == v8::Module::kEvaluated) return;
  v8::Local<v8::Value> evaluation;
  if (!module->Evaluate(context).ToLocal(&evaluation)) return;
  auto promise = evaluation.As<v8::Promise>();
  if (promise->State() != v8::Promise::kRejected) return;
  // The error is thrown here: the promise is nobody's.
  promise->MarkAsHandled();
  for (size_t i = 0; i < self->rejections.size(); i++) {
    if (self->rejections[i].promise == promise) {
      self->rejections.erase(self->rejections.begin() + i);
      break;
    }
  }
  isolate->ThrowException(promise->Result());
}

// A wrapper takes the namespace that it exports from its import.meta, which no program
// sees. That of a program's modules is empty.
void OnImportMeta(v8::Local<v8::Context> context, v8::Local<v8::Module> module, v8::Local<v8::Object> meta) {
  v8::Isolate* isolate = context->GetIsolate();
  auto* self = Self(isolate);
  for (auto& [specifier, deferred] : self->deferred) {
    if (deferred.wrapper != module) continue;
    v8::Local<v8::Module> target;
    v8::Local<v8::Function> evaluate;
    v8::Local<v8::Value> name;
    if (!Find(self, specifier, "").ToLocal(&target) ||
        !v8::Function::New(context, OnEvaluateNow, ToV8(isolate, {specifier.data(), specifier.size()}), 0,
                           v8::ConstructorBehavior::kThrow)
             .ToLocal(&evaluate)) {
      return;
    }
    v8::Local<v8::Value> arguments[] = {target->GetModuleNamespace(), evaluate};
    if (CallEntry(self, context, kDeferredNamespace, 2, arguments).ToLocal(&name)) {
      meta->CreateDataProperty(context, ToV8(isolate, "namespace"), name).FromMaybe(false);
    }
    return;
  }
}

}  // namespace isogate
