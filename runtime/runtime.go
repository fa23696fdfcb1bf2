// Package runtime holds the guest's standard library: JavaScript written from the
// specifications, run once when the startup snapshot is made. It knows nothing
// of hosts, tools or processes; what the host calls and what it is called for is
// in js/entry.js and js/host.js.
//
// Each file in js owns one idea and opens with what it implements. All files
// share one scope, that of a function around the whole, so the order of the
// files matters only for what runs at once. The files of a [Part] have a function
// around them as well, which runs when a program first uses what the part offers:
// an isolate that does not use it pays for its text only.
package runtime

import (
	"embed"
)

// Name is the name of the bundle in stack traces. Frames with this name are the
// runtime's own and are not shown to programs (js/stack.js).
const Name = "isogate:runtime"

// order lists the files that run when the snapshot is made, each after those
// whose constants it uses when it is loaded.
var order = []string{
	"primordials.js",
	"host.js",
	"native.js",
	"webidl.js",
	"webidl_interface.js",
	"webidl_iterable.js",
	"parts.js",
	"brands.js",
	"platform_objects.js",
	"queue.js",
	"base64.js",
	"language/operations.js",
	"language/iteration.js",
	"language/dispose.js",
	"language/array_copies.js",
	"language/typed_array_copies.js",
	"language/set_methods.js",
	"language/iterator.js",
	"language/iterator_helpers.js",
	"language/iterator_consumers.js",
	"language/iterator_sequences.js",
	"language/iterator_more.js",
	"language/group_by.js",
	"language/array_from_async.js",
	"language/promise.js",
	"language/promise_keyed.js",
	"language/array_buffer_transfer.js",
	"language/text_of_bytes.js",
	"language/uint8array_text.js",
	"language/well_formed.js",
	"language/regexp_escape.js",
	"language/upsert.js",
	"language/error_is_error.js",
	"language/error_stack.js",
	"language/regexp_legacy.js",
	"language/sum_precise.js",
	"language/float16.js",
	"language/disposable_stack.js",
	"language/async_disposable_stack.js",
	"language/json_parse.js",
	"language/json_raw.js",
	"language/date_setters.js",
	"language/locale_information.js",
	"language/duration_record.js",
	"language/duration_format.js",
	"codec_encode.js",
	"codec_encode_arrays.js",
	"codec_encode_kinds.js",
	"codec_references.js",
	"codec_decode.js",
	"codec_decode_kinds.js",
	"stack.js",
	"hints.js",
	"fault.js",
	"inspect.js",
	"inspect_objects.js",
	"inspect_layout.js",
	"console_format.js",
	"console_table.js",
	"console.js",
	"timers.js",
	"report.js",
	"microtask.js",
	"deferred_namespace.js",
	"tools.js",
	"globals.js",
}

// Part is a group of files that is built as a whole, on first use (js/parts.js).
type Part struct {
	// Name is what other files know the part by.
	Name string
	// Files are its files in order, below js/web.
	Files []string
	// Globals are the names on the global object whose first reading builds the part.
	Globals []string
	// Use is an expression that uses the part, for those without globals.
	Use string
	// Hot parts are built when the snapshot is made and are part of it.
	Hot bool
}

// parts lists what is not built before it is used.
var parts = []Part{
	{Name: "dom_exception", Files: []string{"dom_exception.js"}, Globals: []string{"DOMException", "QuotaExceededError"}},
	{
		Name: "events", Files: []string{"event.js", "event_target.js", "abort.js"},
		Globals: []string{
			"Event", "CustomEvent", "EventTarget", "AbortController", "AbortSignal",
			"addEventListener", "removeEventListener", "dispatchEvent",
		},
	},
	{
		Name: "error_events", Files: []string{"error_event.js", "global_events.js"},
		Globals: []string{"ErrorEvent", "PromiseRejectionEvent"},
	},
	{
		Name: "messaging", Files: []string{"message_event.js", "message_channel.js"},
		Globals: []string{"MessageEvent", "MessageChannel", "MessagePort"},
	},
	{Name: "structured_clone", Files: []string{"structured_clone.js", "structured_serialize.js", "structured_deserialize.js"}, Use: "structuredClone(1)"},
	{Name: "performance", Files: []string{"performance.js"}, Globals: []string{"Performance"}},
	{Name: "navigator", Files: []string{"navigator.js"}, Globals: []string{"Navigator"}},
	{Name: "blob", Files: []string{"blob.js"}, Globals: []string{"Blob", "File"}},
	{Name: "form_data", Files: []string{"form_data.js"}, Globals: []string{"FormData"}},
	{Name: "headers", Files: []string{"headers.js"}, Globals: []string{"Headers"}},
	{
		Name: "url",
		Files: []string{
			"url_percent.js", "url_host.js", "url_record.js", "url_states.js", "url_parser.js", "url_quick.js", "url_form.js",
			"url_search_params.js", "url.js",
		},
		Globals: []string{"URL", "URLSearchParams"},
	},
	{
		Name: "encoding", Files: []string{"encoding_labels.js", "text_encoder.js", "text_decoder.js", "forgiving_base64.js"},
		Globals: []string{"TextEncoder", "TextDecoder"},
	},
	{
		Name: "streams",
		Files: []string{
			"stream_support.js", "queuing_strategies.js", "readable_stream.js", "readable_readers.js", "readable_controller.js",
			"readable_byte_controller.js", "readable_pull_into.js", "readable_tee.js", "readable_iteration.js", "writable_stream.js",
			"writable_controller.js", "writable_writer.js", "stream_pipe.js", "transform_stream.js", "stream_exports.js",
		},
		Globals: []string{
			"ReadableStream", "ReadableStreamDefaultReader", "ReadableStreamBYOBReader", "ReadableStreamDefaultController",
			"ReadableByteStreamController", "ReadableStreamBYOBRequest", "WritableStream", "WritableStreamDefaultWriter",
			"WritableStreamDefaultController", "TransformStream", "TransformStreamDefaultController", "ByteLengthQueuingStrategy",
			"CountQueuingStrategy",
		},
	},
	{
		Name: "encoding_streams", Files: []string{"encoding_streams.js"},
		Globals: []string{"TextEncoderStream", "TextDecoderStream"},
	},
	{Name: "random", Files: []string{"random.js"}, Globals: []string{"Crypto"}},
	{
		Name: "fetch_classes",
		Files: []string{
			"body_mime_type.js", "body_multipart.js", "body_multipart_parser.js", "body.js", "body_mixin.js", "request_init.js",
			"request.js", "response.js",
		},
		Globals: []string{"Request", "Response"},
	},
}

// Language is the name under which [SourceWithout] knows the files below js/language:
// what newer editions of ECMAScript have and the engine has not.
const Language = "language"

// Parts returns the parts of the library.
func Parts() []Part { return append([]Part(nil), parts...) }

//go:embed js/*.js js/language/*.js js/web/*.js
var files embed.FS

// last are the files that come after the parts.
var last = []string{"entry.js", "warm.js"}

// inOrder returns all files of the bundle, in order.
func inOrder() []string {
	all := append([]string(nil), order...)
	for _, p := range parts {
		for _, file := range p.Files {
			all = append(all, "web/"+file)
		}
	}
	return append(all, last...)
}
