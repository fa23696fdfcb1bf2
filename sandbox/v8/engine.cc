// This file owns the process-wide part of the engine: initialisation, entropy,
// the platform, and what happens to signals.
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "internal.h"

// Of ICU 71, which is part of the library; its headers are not.
extern "C" void uloc_setDefault_71(const char* locale, int* status);

namespace isogate {

static v8::Platform* process_platform = nullptr;

v8::Platform* platform() { return process_platform; }

// V8 would open /dev/urandom for every isolate and, when that fails, silently
// seed from the clock. The kernel's generator needs no file.
static bool Entropy(unsigned char* buffer, size_t length) {
  while (length > 0) {
    size_t step = length < 256 ? length : 256;  // getentropy's own bound
    if (getentropy(buffer, step) != 0) {
      static const char text[] = "isogate: no entropy from the kernel\n";
      if (write(2, text, sizeof(text) - 1) < 0) {
      }
      _exit(ISOGATE_EXIT_FATAL);
    }
    buffer += step;
    length -= step;
  }
  return true;
}

thread_local int inside_engine = 0;

static struct sigaction previous_segv, previous_bus, previous_fpe;

// Reports whether the operating system gives this process no more memory. V8
// does not check every allocation of its own: at the limit it ends by a fault as
// often as by its out-of-memory handler. Only calls that a signal handler may make.
static bool AtMemoryLimit() {
  constexpr size_t kProbe = 8u << 20;
  void* probe = mmap(nullptr, kProbe, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe == MAP_FAILED) return true;
  munmap(probe, kProbe);
  return false;
}

// Ends the process by this signal. The first process of a pid namespace cannot end
// itself by one, the kernel drops it (pid_namespaces(7)): then the exit status says
// it, as shells do.
[[noreturn]] static void Die(int number) {
  signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(number);
  _exit(ISOGATE_EXIT_SIGNAL + number);
}

// A memory fault inside the engine must end the process with that signal, for
// the supervisor to see. Go's handler would turn it into a goroutine dump and
// exit status 2. A fault in Go code stays Go's.
static void OnFault(int number, siginfo_t* info, void* context) {
  //gate:protects process-memory
  if (AtMemoryLimit()) {
    static const char text[] = "isogate: a fault at the memory limit\n";
    if (write(2, text, sizeof(text) - 1) < 0) {
    }
    _exit(ISOGATE_EXIT_PROCESS);
  }
  if (info->si_code <= 0) Die(number);  // sent by somebody: no instruction to run again
  if (inside_engine > 0) {
    signal(number, SIG_DFL);
    return;  // the faulting instruction runs again and ends the process
  }
  struct sigaction* previous = number == SIGSEGV ? &previous_segv : number == SIGBUS ? &previous_bus : &previous_fpe;
  if ((previous->sa_flags & SA_SIGINFO) != 0 && previous->sa_sigaction != nullptr) {
    previous->sa_sigaction(number, info, context);
    return;
  }
  signal(number, SIG_DFL);
}

static void InstallSignals() {
  struct sigaction own;
  memset(&own, 0, sizeof own);
  own.sa_handler = Die;
  // Go's goroutine stacks are small: run on the alternate stack, like Go does.
  own.sa_flags = SA_ONSTACK;
  sigfillset(&own.sa_mask);
  // V8 ends itself with abort, a breakpoint or an illegal instruction.
  sigaction(SIGABRT, &own, nullptr);
  sigaction(SIGTRAP, &own, nullptr);
  sigaction(SIGILL, &own, nullptr);

  struct sigaction fault;
  memset(&fault, 0, sizeof fault);
  fault.sa_sigaction = OnFault;
  fault.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigfillset(&fault.sa_mask);
  sigaction(SIGSEGV, &fault, &previous_segv);
  sigaction(SIGBUS, &fault, &previous_bus);
  sigaction(SIGFPE, &fault, &previous_fpe);
}

}  // namespace isogate

void isogate_init(const char* flags, int threads) {
  // ICU would ask the environment for the default locale.
  int status = 0;
  uloc_setDefault_71("en_US", &status);
  v8::V8::SetFlagsFromString(flags);
  v8::V8::SetEntropySource(isogate::Entropy);
  isogate::process_platform = v8::platform::NewDefaultPlatform(threads).release();
  v8::V8::InitializePlatform(isogate::process_platform);
  v8::V8::Initialize();
  isogate::InstallSignals();
}

const char* isogate_version(void) { return v8::V8::GetVersion(); }

int isogate_abi(int64_t* values, int max) {
  const int64_t have[] = {
      static_cast<int64_t>(sizeof(v8::StartupData)),
      static_cast<int64_t>(sizeof(v8::Isolate::CreateParams)),
      static_cast<int64_t>(sizeof(v8::ResourceConstraints)),
      static_cast<int64_t>(sizeof(v8::ScriptOrigin)),
      static_cast<int64_t>(sizeof(v8::ScriptCompiler::Source)),
      static_cast<int64_t>(sizeof(v8::HeapStatistics)),
      static_cast<int64_t>(sizeof(v8::PromiseRejectMessage)),
      static_cast<int64_t>(sizeof(v8::SnapshotCreator)),
      static_cast<int64_t>(v8::V8::GetSandboxSizeInBytes()),
      v8::V8::IsSandboxConfiguredSecurely() ? 1 : 0,
  };
  int n = static_cast<int>(sizeof(have) / sizeof(have[0]));
  if (n > max) n = max;
  for (int i = 0; i < n; i++) values[i] = have[i];
  return n;
}
