// This file owns the compiling and running of a program, as a script or as a
// module. The program's text is compiled as it is: nothing is put around it.
#include "internal.h"

namespace isogate {

static v8::MaybeLocal<v8::Script> CompileScript(isogate_isolate* self, v8::Local<v8::Context> context,
                                                isogate_text source, const char* name) {
  v8::ScriptOrigin origin(self->isolate, ToV8(self->isolate, name));
  v8::ScriptCompiler::Source unit(ToV8(self->isolate, source), origin);
  return v8::ScriptCompiler::Compile(context, &unit);
}

// Ends an entry in which something did not compile or link.
static void Refuse(isogate_isolate* self, v8::Local<v8::Context> context, v8::TryCatch* caught,
                   isogate_outcome* outcome) {
  if (caught->HasTerminated() || self->isolate->IsExecutionTerminating()) {
    SetOutcome(outcome, ISOGATE_TERMINATED);
  } else if (self->module_missing) {
    SetOutcome(outcome, ISOGATE_MODULE_NOT_FOUND, self->missing_specifier);
    outcome->resource = strdup(self->missing_importer.c_str());
  } else if (caught->Message().IsEmpty()) {
    SetOutcome(outcome, ISOGATE_INTERNAL, "compiling failed without a message");
  } else {
    SetSyntaxOutcome(outcome, self->isolate, context, caught->Message());
  }
}

// Ends an entry in which guest code threw: the runtime describes what.
static void ReportThrown(isogate_isolate* self, v8::Local<v8::Context> context, v8::TryCatch* caught,
                         isogate_outcome* outcome) {
  if (caught->HasTerminated() || !caught->CanContinue() || self->isolate->IsExecutionTerminating()) {
    SetOutcome(outcome, ISOGATE_TERMINATED);
    return;
  }
  v8::Local<v8::Value> arguments[] = {caught->Exception()};
  caught->Reset();
  (void)CallEntry(self, context, kReportThrown, 1, arguments);
  SetOutcome(outcome, self->isolate->IsExecutionTerminating() ? ISOGATE_TERMINATED : ISOGATE_THROWN);
}

static v8::Local<v8::Value> Input(isogate_isolate* self, isogate_text input) {
  if (input.data == nullptr) return v8::Undefined(self->isolate);
  return ToV8(self->isolate, input);
}

static void RunScript(isogate_isolate* self, v8::Local<v8::Context> context, isogate_text source, const char* name,
                      isogate_text input, isogate_outcome* outcome) {
  v8::TryCatch caught(self->isolate);
  v8::Local<v8::Script> script;
  if (!CompileScript(self, context, source, name).ToLocal(&script)) {
    Refuse(self, context, &caught, outcome);
    return;
  }
  v8::Local<v8::Value> value;
  if (!script->Run(context).ToLocal(&value)) {
    ReportThrown(self, context, &caught, outcome);
    return;
  }
  v8::Local<v8::Value> arguments[] = {value, Input(self, input)};
  (void)CallEntry(self, context, kRunFunction, 2, arguments);
  FinishEntry(self, context, outcome);
}

static void RunModule(isogate_isolate* self, v8::Local<v8::Context> context, isogate_text source, const char* name,
                      isogate_text input, isogate_outcome* outcome) {
  v8::TryCatch caught(self->isolate);
  v8::Local<v8::Module> module;
  if (!CompileModule(self, ToV8(self->isolate, source), name).ToLocal(&module) ||
      !LoadGraph(self, context, module, name) ||
      !Link(self, context, module)) {
    Refuse(self, context, &caught, outcome);
    return;
  }
  v8::Local<v8::Value> evaluation;
  if (!module->Evaluate(context).ToLocal(&evaluation)) {
    ReportThrown(self, context, &caught, outcome);
    return;
  }
  v8::Local<v8::Value> arguments[] = {evaluation, module->GetModuleNamespace(), Input(self, input)};
  (void)CallEntry(self, context, kRunModule, 3, arguments);
  FinishEntry(self, context, outcome);
}

static void RunBefore(isogate_isolate* self, v8::Local<v8::Context> context, isogate_text source, const char* name,
                      isogate_outcome* outcome) {
  v8::TryCatch caught(self->isolate);
  v8::Local<v8::Script> script;
  if (!CompileScript(self, context, source, name).ToLocal(&script)) {
    Refuse(self, context, &caught, outcome);
  } else if (script->Run(context).IsEmpty()) {
    ReportThrown(self, context, &caught, outcome);
  } else {
    FinishEntry(self, context, outcome);
  }
}

}  // namespace isogate

void isogate_run_before(isogate_isolate* self, isogate_text source, const char* name, isogate_outcome* outcome) {
  isogate::Entered entered(self);
  isogate::RunBefore(self, entered.context(), source, name, outcome);
}

void isogate_check(isogate_isolate* self, isogate_text source, const char* name, int is_module,
                   isogate_outcome* outcome) {
  isogate::Entered entered(self);
  v8::TryCatch caught(self->isolate);
  bool ok = is_module != 0
                ? !isogate::CompileModule(self, isogate::ToV8(self->isolate, source), name).IsEmpty()
                : !isogate::CompileScript(self, entered.context(), source, name).IsEmpty();
  if (ok) {
    isogate::SetOutcome(outcome, ISOGATE_OK);
  } else {
    isogate::Refuse(self, entered.context(), &caught, outcome);
  }
}

void isogate_run(isogate_isolate* self, isogate_text source, const char* name, int is_module, isogate_text input,
                 isogate_outcome* outcome) {
  isogate::Entered entered(self);
  if (is_module != 0) {
    isogate::RunModule(self, entered.context(), source, name, input, outcome);
  } else {
    isogate::RunScript(self, entered.context(), source, name, input, outcome);
  }
}
