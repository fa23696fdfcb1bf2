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
	"slices"
	"strings"
)

// Name is the name of the bundle in stack traces. Frames with this name are the
// runtime's own and are not shown to programs (js/stack.js).
const Name = "isogate:runtime"

// eager lists the files that run when the snapshot is made, in groups. Each group is within
// a function around it, which is in that of the group before (bundle.go): its files use only
// names of their group and of those before it, and of parts.
var eager = [][]string{
	{"primordials.js"},
	{"host.js", "native.js", "properties.js", "parts.js"},
	{"codec_encode.js", "codec_encode_arrays.js"},
	{"tools.js", "language/accessors.js", "language/regexp_legacy.js", "globals.js"},
}

// Part is a group of files that is built as a whole, on first use (js/parts.js).
type Part struct {
	// Name is what other files know the part by.
	Name string
	// Files are its files in order, below js.
	Files []string
	// Needs are the parts whose names its files use as if they were their own. They are built before it.
	Needs []string
	// Globals are the names on the global object whose first reading builds the part.
	Globals []string
	// Functions are the same for those that are enumerable.
	Functions []string
	// Methods are properties of built-in objects whose first reading builds the part.
	Methods []Methods
	// Use is an expression that uses the part, for those without globals and functions.
	Use string
	// UsedBy says in words what uses the part, when no expression does.
	UsedBy string
}

// Methods are properties of one object that are made when one is first read.
type Methods struct {
	// On is an expression for the object, of eager names.
	On string
	// Of is the part's export that has the values; the part's exports themselves when it is empty.
	Of string
	// Names are the keys, separated by spaces; one in brackets is an expression for a symbol.
	Names string
	// Enumerable says whether the properties are.
	Enumerable bool
}

// lazy returns all properties whose first reading builds the part.
func (p Part) lazy() []Methods {
	all := append([]Methods(nil), p.Methods...)
	if len(p.Functions) > 0 {
		all = append(all, Methods{On: "globalObject", Of: "functions", Names: strings.Join(p.Functions, " "), Enumerable: true})
	}
	if len(p.Globals) > 0 {
		all = append(all, Methods{On: "globalObject", Names: strings.Join(p.Globals, " ")})
	}
	return all
}

// text returns the files of a part without their comments.
func (p Part) text() string {
	var b strings.Builder
	for _, file := range p.Files {
		b.WriteString(textOf(file) + "\n")
	}
	return b.String()
}

// web lists the parts below js/web.
var web = []Part{
	{Name: "dom_exception", Files: []string{"dom_exception.js"}, Globals: []string{"DOMException", "QuotaExceededError"}},
	{
		Name: "events", Needs: []string{"timers", "reports"}, Files: []string{"event.js", "event_target.js", "abort.js"},
		Globals: []string{
			"Event", "CustomEvent", "EventTarget", "AbortController", "AbortSignal",
			"addEventListener", "removeEventListener", "dispatchEvent",
		},
	},
	{
		Name: "error_events", Needs: []string{"faults"}, Files: []string{"error_event.js", "global_events.js"},
		Globals: []string{"ErrorEvent", "PromiseRejectionEvent"},
	},
	{
		Name: "messaging", Needs: []string{"timers"}, Files: []string{"message_event.js", "message_channel.js"},
		Globals: []string{"MessageEvent", "MessageChannel", "MessagePort"},
	},
	{Name: "structured_clone", Needs: []string{"decoding"}, Files: []string{"structured_clone.js", "structured_serialize.js", "structured_deserialize.js"}, Use: "structuredClone(1)"},
	{Name: "performance", Needs: []string{"timers"}, Files: []string{"performance.js"}, Globals: []string{"Performance"}},
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
		Name: "encoding", Needs: []string{"base64"}, Files: []string{"encoding_labels.js", "text_encoder.js", "text_decoder.js", "forgiving_base64.js"},
		Globals: []string{"TextEncoder", "TextDecoder"},
	},
	{
		Name: "streams", Needs: []string{"decoding"},
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

// Parts returns the parts of the library.
func Parts() []Part { return slices.Concat(groups()...) }

// groups returns the parts in the groups that share a function around them: each function that has
// not run yet costs every isolate something.
func groups() [][]Part {
	var inFolder []Part
	for _, p := range web {
		folder := make([]string, len(p.Files))
		for i, file := range p.Files {
			folder[i] = "web/" + file
		}
		p.Files, p.Needs = folder, append([]string{"brands", "interfaces"}, p.Needs...)
		inFolder = append(inFolder, p)
	}
	return [][]Part{language, common, inFolder}
}

// partNamed returns the part of that name.
func partNamed(name string) Part {
	for _, p := range Parts() {
		if p.Name == name {
			return p
		}
	}
	panic(Name + ": there is no part " + name)
}

//go:embed js/*.js js/language/*.js js/web/*.js
var files embed.FS

// last are the files that come after the parts, in the scope of the last eager group.
var last = []string{"entry.js", "warm.js"}

// inOrder returns all files of the bundle, in order.
func inOrder() []string {
	all := slices.Concat(eager...)
	for _, p := range Parts() {
		all = append(all, p.Files...)
	}
	return append(all, last...)
}
