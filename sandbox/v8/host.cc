// This file owns the traffic between guest and host: the one host function,
// the calls of the runtime's entry functions, promise rejections, stack traces,
// and the conversion of text.
#include <stdlib.h>
#include <string.h>

#include "internal.h"

// Implemented in Go (callback.go).
extern "C" int64_t isogateHostCall(uintptr_t handle, int op, isogate_text a, isogate_text b, isogate_text c,
                                   double first, double second);

namespace isogate {

v8::Local<v8::String> ToV8(v8::Isolate* isolate, isogate_text text) {
  if (text.size == 0) return v8::String::Empty(isolate);
  v8::Local<v8::String> out;
  if (!v8::String::NewFromUtf8(isolate, text.data, v8::NewStringType::kNormal, static_cast<int>(text.size))
           .ToLocal(&out)) {
    return v8::String::Empty(isolate);
  }
  return out;
}

v8::Local<v8::String> ToV8(v8::Isolate* isolate, const char* text) { return ToV8(isolate, {text, strlen(text)}); }

std::string ToStd(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (value.IsEmpty()) return "";
  v8::String::Utf8Value text(isolate, value);
  return *text == nullptr ? "" : std::string(*text, text.length());
}

void SetOutcome(isogate_outcome* outcome, int status, const std::string& message) {
  memset(outcome, 0, sizeof *outcome);
  outcome->status = status;
  if (!message.empty()) outcome->message = strdup(message.c_str());
}

void SetSyntaxOutcome(isogate_outcome* outcome, v8::Isolate* isolate, v8::Local<v8::Context> context,
                      v8::Local<v8::Message> message) {
  SetOutcome(outcome, ISOGATE_SYNTAX, ToStd(isolate, message->Get()));
  outcome->resource = strdup(ToStd(isolate, message->GetScriptResourceName()).c_str());
  outcome->line = message->GetLineNumber(context).FromMaybe(0);
  outcome->column = message->GetStartColumn(context).FromMaybe(0) + 1;
  v8::Local<v8::String> line;
  if (message->GetSourceLine(context).ToLocal(&line)) {
    // A line of a hostile program can be megabytes long; the caller shows little.
    constexpr int kMost = 4096;
    if (line->Length() > kMost) {
      int from = outcome->column > kMost / 2 ? outcome->column - kMost / 2 : 0;
      if (from > line->Length() - kMost) from = line->Length() - kMost;
      std::vector<uint16_t> part(kMost);
      line->Write(isolate, part.data(), from, kMost, v8::String::NO_NULL_TERMINATION);
      v8::Local<v8::String> cut;
      if (v8::String::NewFromTwoByte(isolate, part.data(), v8::NewStringType::kNormal, kMost).ToLocal(&cut)) line = cut;
    }
    outcome->source_line = strdup(ToStd(isolate, line).c_str());
  }
}

// Reports the rejections that nobody handles at this moment, and those reported before
// that somebody handles now. What is called may run listeners of the program's.
static void ReportPendingRejections(isogate_isolate* self, v8::Local<v8::Context> context) {
  std::vector<isogate_isolate::Rejection> pending;
  pending.swap(self->rejections);
  for (auto& rejection : pending) {
    v8::HandleScope handles(self->isolate);
    v8::TryCatch caught(self->isolate);
    v8::Local<v8::Promise> promise = rejection.promise.Get(self->isolate);
    // A listener that was told of another one may have handled it.
    if (!rejection.handled && promise->HasHandler()) continue;
    v8::Local<v8::Value> arguments[] = {rejection.reason.Get(self->isolate), promise,
                                        v8::Boolean::New(self->isolate, rejection.handled)};
    if (CallEntry(self, context, kUnhandledRejection, 3, arguments).IsEmpty()) {
      if (caught.HasTerminated()) caught.ReThrow();
      return;
    }
  }
}

// The one function through which guest code, by way of the runtime, reaches
// the host: host(op, …) with strings and numbers only. The runtime holds it in
// a closure; no guest code can name it.
void HostFunction(const v8::FunctionCallbackInfo<v8::Value>& info) {
  v8::Isolate* isolate = info.GetIsolate();
  auto* self = Self(isolate);
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  int op = info[0]->Int32Value(context).FromMaybe(0);
  double numbers[2] = {0, 0};
  isogate_text texts[3] = {{nullptr, 0}, {nullptr, 0}, {nullptr, 0}};
  std::unique_ptr<v8::String::Utf8Value> held[3];
  int next_text = 0, next_number = 0;
  for (int i = 1; i < info.Length(); i++) {
    if (info[i]->IsString() && next_text < 3) {
      held[next_text] = std::make_unique<v8::String::Utf8Value>(isolate, info[i]);
      texts[next_text] = {**held[next_text], static_cast<size_t>(held[next_text]->length())};
      next_text++;
    } else if (info[i]->IsNumber() && next_number < 2) {
      numbers[next_number++] = info[i].As<v8::Number>()->Value();
    }
  }
  // After the outcome nothing of the program runs: what it left unhandled is said before.
  if (op == ISOGATE_OP_RESULT || op == ISOGATE_OP_FAULT) ReportPendingRejections(self, context);
  // While Go runs, a fault on this thread is Go's.
  int depth = inside_engine;
  inside_engine = 0;
  int64_t answer = isogateHostCall(self->handle, op, texts[0], texts[1], texts[2], numbers[0], numbers[1]);
  inside_engine = depth;
  info.GetReturnValue().Set(v8::Number::New(isolate, static_cast<double>(answer)));
}

int64_t CallHost(isogate_isolate* self, int op, isogate_text a, isogate_text b, double first, double second) {
  int depth = inside_engine;
  inside_engine = 0;
  int64_t answer = isogateHostCall(self->handle, op, a, b, {nullptr, 0}, first, second);
  inside_engine = depth;
  return answer;
}

v8::MaybeLocal<v8::Value> CallEntry(isogate_isolate* self, v8::Local<v8::Context> context, Entry entry, int argc,
                                    v8::Local<v8::Value> argv[]) {
  v8::Local<v8::Function> function = self->entries[entry].Get(self->isolate);
  return function->Call(context, v8::Undefined(self->isolate), argc, argv);
}

// Unhandled rejections are reported when the microtasks have run, as HTML's
// "notify about rejected promises" does.
static void ReportRejections(isogate_isolate* self, v8::Local<v8::Context> context) {
  for (int round = 0; round < 8 && !self->rejections.empty(); round++) {
    ReportPendingRejections(self, context);
    if (self->isolate->IsExecutionTerminating()) return;
    self->isolate->PerformMicrotaskCheckpoint();
    if (self->isolate->IsExecutionTerminating()) return;
  }
}

void FinishEntry(isogate_isolate* self, v8::Local<v8::Context> context, isogate_outcome* outcome) {
  if (!self->isolate->IsExecutionTerminating()) {
    self->isolate->PerformMicrotaskCheckpoint();
    ReportRejections(self, context);
  }
  SetOutcome(outcome, self->isolate->IsExecutionTerminating() ? ISOGATE_TERMINATED : ISOGATE_OK);
}

// The bound on rejections that are remembered at one moment; more are not reported.
constexpr size_t kMaxRejections = 1000;

void OnPromiseReject(v8::PromiseRejectMessage message) {
  v8::Local<v8::Promise> promise = message.GetPromise();
  v8::Isolate* isolate = promise->GetIsolate();
  auto* self = Self(isolate);
  if (message.GetEvent() == v8::kPromiseRejectWithNoHandler) {
    if (self->rejections.size() >= kMaxRejections) return;
    isogate_isolate::Rejection rejection;
    rejection.promise.Reset(isolate, promise);
    rejection.reason.Reset(isolate, message.GetValue());
    self->rejections.push_back(std::move(rejection));
  } else if (message.GetEvent() == v8::kPromiseHandlerAddedAfterReject) {
    for (size_t i = 0; i < self->rejections.size(); i++) {
      if (self->rejections[i].promise == promise) {
        self->rejections.erase(self->rejections.begin() + i);
        return;
      }
    }
    if (self->rejections.size() >= kMaxRejections) return;
    isogate_isolate::Rejection rejection;
    rejection.promise.Reset(isolate, promise);
    rejection.reason.Reset(isolate, v8::Undefined(isolate));
    rejection.handled = true;
    self->rejections.push_back(std::move(rejection));
  }
}

// With this callback Error.prepareStackTrace has no effect, so that no guest
// ever holds a CallSite.
v8::MaybeLocal<v8::Value> OnPrepareStackTrace(v8::Local<v8::Context> context, v8::Local<v8::Value> error,
                                              v8::Local<v8::Array> sites) {
  auto* self = Self(context->GetIsolate());
  v8::Local<v8::Value> arguments[] = {error, sites};
  return CallEntry(self, context, kPrepareStack, 2, arguments);
}

}  // namespace isogate

void isogate_outcome_free(isogate_outcome* outcome) {
  free(outcome->message);
  free(outcome->resource);
  free(outcome->source_line);
  memset(outcome, 0, sizeof *outcome);
}

void isogate_settle(isogate_isolate* self, int64_t call, isogate_text envelope, isogate_outcome* outcome) {
  isogate::Entered entered(self);
  v8::TryCatch caught(self->isolate);
  v8::Local<v8::Value> arguments[] = {v8::Number::New(self->isolate, static_cast<double>(call)),
                                      isogate::ToV8(self->isolate, envelope)};
  (void)isogate::CallEntry(self, entered.context(), isogate::kSettle, 2, arguments);
  isogate::FinishEntry(self, entered.context(), outcome);
}

void isogate_fire(isogate_isolate* self, int64_t timer, isogate_outcome* outcome) {
  isogate::Entered entered(self);
  v8::TryCatch caught(self->isolate);
  v8::Local<v8::Value> arguments[] = {v8::Number::New(self->isolate, static_cast<double>(timer))};
  (void)isogate::CallEntry(self, entered.context(), isogate::kFireTimer, 1, arguments);
  isogate::FinishEntry(self, entered.context(), outcome);
}

int isogate_pump(isogate_isolate* self, isogate_outcome* outcome) {
  isogate::Entered entered(self);
  v8::TryCatch caught(self->isolate);
  int ran = 0;
  // Bounded, so that tasks which post tasks cannot hold the thread.
  for (int i = 0; i < 64 && v8::platform::PumpMessageLoop(isogate::platform(), self->isolate); i++) ran = 1;
  isogate::FinishEntry(self, entered.context(), outcome);
  return ran;
}
