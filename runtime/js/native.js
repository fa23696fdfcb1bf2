// Native: the second native function, for what JavaScript cannot do or does badly.
// It takes values and gives values back, and reaches nothing outside the isolate:
// no host, no clock, no memory but that of its arguments.
//
// Like the host function it is given to boot (entry.js), kept in this scope only,
// and never reaches guest code. It does not exist while the snapshot is made.
//
// Operations of the engine (Go package sandbox/v8, native.cc):
//
//   native(KIND_OF, value)             → the sum of the KIND_… numbers that hold, 0 for none
//   native(TRANSFER, buffer)           → an ArrayBuffer with the same memory; buffer is detached then.
//                                        undefined when it cannot be detached
//   native(UTF8_LENGTH, text)          → how many bytes text has in UTF-8
//   native(UTF8_WRITE, text, bytes)    → {0: code units read, 1: bytes written}; whole characters only;
//                                        a lone surrogate is written as U+FFFD
//   native(UTF8_READ, bytes, fatal)    → text; an invalid sequence is U+FFFD as in the Encoding standard, or,
//                                        when fatal, the answer is undefined. A byte order mark is kept.
//
// Operations of the library (Go package runtime/native): text is UTF-8 there, so a lone
// surrogate arrives as U+FFFD.
//
//   native(DOMAIN_TO_ASCII, domain)            → text, or undefined for failure
//   native(DECODE, name, bytes, state, flags)  → {0: text, 1: new state}, see runtime/native/decode.go
//   native(RANDOM, bytes)                      fills bytes from the kernel's generator

const KIND_OF = 1;
const TRANSFER = 2;
const UTF8_LENGTH = 3;
const UTF8_WRITE = 4;
const UTF8_READ = 5;
const DOMAIN_TO_ASCII = 32;
const DECODE = 33;
const RANDOM = 34;

const KIND_PROXY = 1;
const KIND_NATIVE_ERROR = 2;
const KIND_PROMISE = 4;
const KIND_ARGUMENTS = 8;
const KIND_MODULE_NAMESPACE = 16;
const KIND_GENERATOR = 32;
const KIND_WEAK = 64; // WeakMap, WeakSet or WeakRef
const KIND_COLLECTION_ITERATOR = 128; // of a Map or Set
const KIND_EXTERNAL = 256;
const KIND_BOOLEAN = 512; // an object around a boolean, and so on
const KIND_NUMBER = 1024;
const KIND_BIGINT = 2048;
const KIND_STRING = 4096;
const KIND_SYMBOL = 8192;
const KIND_DATE = 16384;
const KIND_REGEXP = 32768;
const KIND_MAP = 65536;
const KIND_SET = 131072;
const KIND_ARRAY_BUFFER = 262144;
const KIND_ARRAY_BUFFER_VIEW = 524288;

let native;
