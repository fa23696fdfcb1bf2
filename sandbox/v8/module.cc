// This file owns modules: a closed world of texts that the request provided.
// Specifiers are matched byte for byte; nothing is resolved, fetched or read.
#include <string.h>

#include <set>

#include "internal.h"

namespace isogate {

v8::MaybeLocal<v8::Module> CompileModule(isogate_isolate* self, v8::Local<v8::String> source, const char* name) {
  v8::ScriptOrigin origin(self->isolate, ToV8(self->isolate, name), 0, 0, false, -1, v8::Local<v8::Value>(), false,
                          false, true);
  v8::ScriptCompiler::Source unit(source, origin);
  return v8::ScriptCompiler::CompileModule(self->isolate, &unit);
}

// Compiles a virtual module. When V8 refuses it, Go is asked for another text until V8
// takes one or Go has none (Go file sandbox/lower.go).
static v8::MaybeLocal<v8::Module> CompileOrLower(isogate_isolate* self, const std::string& specifier) {
  v8::Isolate* isolate = self->isolate;
  v8::Local<v8::Value> last, before;
  int64_t answer = 1;
  while (answer > 0) {
    v8::TryCatch caught(isolate);
    const std::string& source = self->sources[specifier];
    v8::Local<v8::Module> module;
    if (CompileModule(self, ToV8(isolate, {source.data(), source.size()}), specifier.c_str()).ToLocal(&module)) {
      return module;
    }
    if (caught.HasTerminated() || caught.Message().IsEmpty()) {
      caught.ReThrow();
      return {};
    }
    last = caught.Exception();
    isogate_outcome refusal;
    SetSyntaxOutcome(&refusal, isolate, isolate->GetCurrentContext(), caught.Message());
    const char* message = refusal.message == nullptr ? "" : refusal.message;
    answer = CallHost(self, ISOGATE_OP_LOWER, {specifier.data(), specifier.size()}, {message, strlen(message)},
                      refusal.line, refusal.column);
    isogate_outcome_free(&refusal);
    if (answer == 2) before = last;
  }
  isolate->ThrowException(answer < 0 && !before.IsEmpty() ? before : last);
  return {};
}

v8::MaybeLocal<v8::Module> Find(isogate_isolate* self, const std::string& specifier, const std::string& importer) {
  auto known = self->modules.find(specifier);
  if (known != self->modules.end()) return known->second.Get(self->isolate);
  auto source = self->sources.find(specifier);
  //gate:protects modules-closed
  if (source == self->sources.end()) {
    self->module_missing = true;
    self->missing_specifier = specifier;
    self->missing_importer = importer;
    return {};
  }
  v8::Local<v8::Module> module;
  if (!CompileOrLower(self, specifier).ToLocal(&module)) return {};
  self->modules[specifier].Reset(self->isolate, module);
  return module;
}

bool LoadGraph(isogate_isolate* self, v8::Local<v8::Context> context, v8::Local<v8::Module> root,
               const std::string& root_name) {
  std::vector<std::pair<v8::Local<v8::Module>, std::string>> pending{{root, root_name}};
  std::set<std::string> seen{root_name};
  std::vector<std::string> deferred;
  while (!pending.empty()) {
    auto [module, name] = pending.back();
    pending.pop_back();
    v8::Local<v8::FixedArray> requests = module->GetModuleRequests();
    for (int i = 0; i < requests->Length(); i++) {
      auto request = requests->Get(context, i).As<v8::ModuleRequest>();
      std::string specifier = ToStd(self->isolate, request->GetSpecifier());
      v8::Local<v8::Module> found;
      if (!Find(self, specifier, name).ToLocal(&found)) return false;
      if (PhaseOf(context, request->GetImportAssertions(), kStaticWidth) == kDefer) deferred.push_back(specifier);
      if (seen.insert(specifier).second) pending.push_back({found, specifier});
    }
  }
  for (const std::string& specifier : deferred) {
    if (!Defer(self, context, specifier)) return false;
  }
  return true;
}

bool Link(isogate_isolate* self, v8::Local<v8::Context> context, v8::Local<v8::Module> root) {
  if (!root->InstantiateModule(context, OnResolveModule).FromMaybe(false)) return false;
  if (self->deferred.empty()) return true;
  std::vector<v8::Local<v8::Module>> pending{root};
  std::set<std::string> seen;
  while (!pending.empty()) {
    v8::Local<v8::FixedArray> requests = pending.back()->GetModuleRequests();
    pending.pop_back();
    for (int i = 0; i < requests->Length(); i++) {
      auto request = requests->Get(context, i).As<v8::ModuleRequest>();
      std::string specifier = ToStd(self->isolate, request->GetSpecifier());
      v8::Local<v8::Module> found;
      if (!Find(self, specifier, "").ToLocal(&found) ||
          (PhaseOf(context, request->GetImportAssertions(), kStaticWidth) == kDefer &&
           !found->InstantiateModule(context, OnResolveModule).FromMaybe(false))) {
        return false;
      }
      if (seen.insert(specifier).second) pending.push_back(found);
    }
  }
  return true;
}

// V8 asks for modules that LoadGraph has found: nothing can fail here.
v8::MaybeLocal<v8::Module> OnResolveModule(v8::Local<v8::Context> context, v8::Local<v8::String> specifier,
                                           v8::Local<v8::FixedArray> assertions, v8::Local<v8::Module>) {
  auto* self = Self(context->GetIsolate());
  std::string name = ToStd(self->isolate, specifier);
  if (PhaseOf(context, assertions, kStaticWidth) != kDefer) return Find(self, name, "");
  return self->deferred[name].wrapper.Get(self->isolate);
}

static void OnEvaluated(const v8::FunctionCallbackInfo<v8::Value>& info) {
  auto* pair = static_cast<DynamicImport*>(info.Data().As<v8::External>()->Value());
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  v8::Local<v8::Value> result = pair->module_namespace.Get(isolate);
  if (pair->deferred && !result.As<v8::Object>()->Get(context, ToV8(isolate, "default")).ToLocal(&result)) return;
  pair->resolver.Get(isolate)->Resolve(context, result).FromMaybe(false);
}

static void OnEvaluationFailed(const v8::FunctionCallbackInfo<v8::Value>& info) {
  auto* pair = static_cast<DynamicImport*>(info.Data().As<v8::External>()->Value());
  v8::Isolate* isolate = info.GetIsolate();
  pair->resolver.Get(isolate)->Reject(isolate->GetCurrentContext(), info[0]).FromMaybe(false);
}

// Rejects the promise of an import() with what was caught, or does what keeps a
// termination from being lost: caught here, it would be over.
static void FailImport(isogate_isolate* self, v8::Local<v8::Context> context, v8::Local<v8::Promise::Resolver> resolver,
                       v8::TryCatch* caught) {
  v8::Isolate* isolate = self->isolate;
  if (caught->HasTerminated()) {
    isolate->TerminateExecution();
    return;
  }
  v8::Local<v8::Value> reason = caught->Exception();
  if (self->module_missing) {
    // Missing below a dynamic import: that import alone fails.
    self->module_missing = false;
    v8::Local<v8::Value> arguments[] = {
        ToV8(isolate, {self->missing_specifier.data(), self->missing_specifier.size()}),
        ToV8(isolate, {self->missing_importer.data(), self->missing_importer.size()})};
    if (!CallEntry(self, context, kModuleError, 2, arguments).ToLocal(&reason)) return;
  }
  if (reason.IsEmpty()) return;
  resolver->Reject(context, reason).FromMaybe(false);
}

// That is the module itself, or for a member of a cycle that ended before another of it
// failed, that one, which it leads to. V8 cannot be asked to evaluate these again.
v8::MaybeLocal<v8::Module> Failed(isogate_isolate* self, v8::Local<v8::Context> context, v8::Local<v8::Module> module) {
  std::vector<v8::Local<v8::Module>> pending{module};
  std::set<std::string> seen;
  while (!pending.empty()) {
    v8::Local<v8::Module> next = pending.back();
    pending.pop_back();
    if (next->GetStatus() == v8::Module::kErrored) return next;
    if (next->GetStatus() != v8::Module::kEvaluated) continue;
    v8::Local<v8::FixedArray> requests = next->GetModuleRequests();
    for (int i = 0; i < requests->Length(); i++) {
      auto request = requests->Get(context, i).As<v8::ModuleRequest>();
      if (PhaseOf(context, request->GetImportAssertions(), kStaticWidth) == kDefer) continue;
      std::string specifier = ToStd(self->isolate, request->GetSpecifier());
      v8::Local<v8::Module> found;
      if (seen.insert(specifier).second && Find(self, specifier, "").ToLocal(&found)) pending.push_back(found);
    }
  }
  return {};
}

// Links and evaluates a module that import() has loaded, as a job of its own
// (ECMA-262, ContinueDynamicImport): the module may be one that is being evaluated
// when import() is called, and V8 ends the process when that is evaluated again.
// The data is the resolver, the specifier, and whether the import is deferred.
static void OnLoaded(const v8::FunctionCallbackInfo<v8::Value>& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  auto* self = Self(isolate);
  v8::TryCatch caught(isolate);
  v8::Local<v8::Value> resolver_value, name, deferred;
  auto data = info.Data().As<v8::Array>();
  if (!data->Get(context, 0).ToLocal(&resolver_value) || !data->Get(context, 1).ToLocal(&name) ||
      !data->Get(context, 2).ToLocal(&deferred)) {
    return;
  }
  auto resolver = resolver_value.As<v8::Promise::Resolver>();
  v8::Local<v8::Module> module;
  v8::Local<v8::Value> evaluation;
  std::string specifier = ToStd(isolate, name.As<v8::String>());
  if (!Find(self, specifier, "").ToLocal(&module) || !Link(self, context, module)) {
    FailImport(self, context, resolver, &caught);
    return;
  }
  if (deferred->IsTrue()) {
    module = self->deferred[specifier].wrapper.Get(isolate);
    if (!module->InstantiateModule(context, OnResolveModule).FromMaybe(false)) {
      FailImport(self, context, resolver, &caught);
      return;
    }
  }
  v8::Local<v8::Module> broken;
  if (Failed(self, context, module).ToLocal(&broken)) {
    resolver->Reject(context, broken->GetException()).FromMaybe(false);
    return;
  }
  if (!module->Evaluate(context).ToLocal(&evaluation)) {
    FailImport(self, context, resolver, &caught);
    return;
  }
  auto pair = std::make_unique<DynamicImport>();
  pair->deferred = deferred->IsTrue();
  pair->resolver.Reset(isolate, resolver);
  pair->module_namespace.Reset(isolate, module->GetModuleNamespace());
  v8::Local<v8::Value> both = v8::External::New(isolate, pair.get());
  self->imports.push_back(std::move(pair));
  v8::Local<v8::Function> evaluated, failed;
  // Then asks the promise for its constructor, which a program can have changed.
  if (!v8::Function::New(context, OnEvaluated, both).ToLocal(&evaluated) ||
      !v8::Function::New(context, OnEvaluationFailed, both).ToLocal(&failed) ||
      evaluation.As<v8::Promise>()->Then(context, evaluated, failed).IsEmpty()) {
    FailImport(self, context, resolver, &caught);
  }
}

v8::MaybeLocal<v8::Promise> OnImportDynamically(v8::Local<v8::Context> context, v8::Local<v8::Data>,
                                                v8::Local<v8::Value> referrer, v8::Local<v8::String> specifier,
                                                v8::Local<v8::FixedArray> assertions) {
  v8::Isolate* isolate = context->GetIsolate();
  auto* self = Self(isolate);
  v8::Local<v8::Promise::Resolver> resolver;
  if (!v8::Promise::Resolver::New(context).ToLocal(&resolver)) return {};
  // V8 may not be handed an empty result without an exception, so from here on
  // there is always the promise.
  v8::TryCatch caught(isolate);
  std::string name = ToStd(isolate, specifier);
  v8::Local<v8::Module> module;
  Phase phase = PhaseOf(context, assertions, kDynamicWidth);
  v8::Local<v8::Value> parts[] = {resolver, specifier, v8::Boolean::New(isolate, phase == kDefer)};
  v8::Local<v8::Function> loaded;
  if (!Find(self, name, ToStd(isolate, referrer)).ToLocal(&module) || !LoadGraph(self, context, module, name)) {
    FailImport(self, context, resolver, &caught);
  } else if (phase == kSource) {
    // A module of JavaScript has no source to give (ECMA-262, GetModuleSource).
    resolver->Reject(context, v8::Exception::SyntaxError(ToV8(isolate, "A module of JavaScript has no source phase")))
        .FromMaybe(false);
  } else if ((phase == kDefer && !Defer(self, context, name)) ||
             !v8::Function::New(context, OnLoaded, v8::Array::New(isolate, parts, 3)).ToLocal(&loaded)) {
    FailImport(self, context, resolver, &caught);
  } else {
    isolate->EnqueueMicrotask(loaded);
  }
  return resolver->GetPromise();
}

}  // namespace isogate

void isogate_add_module(isogate_isolate* self, isogate_text specifier, isogate_text source) {
  self->sources[std::string(specifier.data, specifier.size)] = std::string(source.data, source.size);
}
