package runtime

// This file owns the parts that are not Web APIs: what newer editions of the language have,
// and what the other parts share.

// language lists the parts below js/language.
var language = []Part{
	{
		Name: "operations", Files: []string{"language/operations.js", "language/iteration.js", "language/error_stack.js"},
		Use: "new Set().union(new Set())",
	},
	{
		Name: "arrays", Needs: []string{"operations"},
		Files: []string{"language/array_copies.js", "language/typed_array_copies.js", "language/array_from_async.js"},
		Methods: []Methods{
			{On: "ArrayPrototype", Of: "arrayCopies", Names: "toReversed toSorted toSpliced with"},
			{On: "TypedArrayPrototype", Of: "typedArrayCopies", Names: "toReversed toSorted with"},
			{On: "Array", Of: "arrayFunctions", Names: "fromAsync"},
		},
		Use: "[].toReversed()",
	},
	{
		Name: "collections", Needs: []string{"operations"},
		Files: []string{"language/set_methods.js", "language/group_by.js", "language/upsert.js"},
		Methods: []Methods{
			{
				On: "SetPrototype", Of: "setMethods",
				Names: "difference intersection isDisjointFrom isSubsetOf isSupersetOf symmetricDifference union",
			},
			{On: "Object", Of: "objectFunctions", Names: "groupBy"},
			{On: "Map", Of: "mapFunctions", Names: "groupBy"},
			{On: "MapPrototype", Of: "mapMethods", Names: "getOrInsert getOrInsertComputed"},
			{On: "WeakMapPrototype", Of: "weakMapMethods", Names: "getOrInsert getOrInsertComputed"},
		},
		Use: "Object.groupBy([], () => 1)",
	},
	{
		Name: "iterators", Needs: []string{"operations"},
		Files: []string{
			"language/iterator.js", "language/iterator_helpers.js", "language/iterator_consumers.js",
			"language/iterator_sequences.js", "language/iterator_more.js",
		},
		Globals: []string{"Iterator"},
		Methods: []Methods{
			{On: "IteratorPrototype", Of: "iteratorHelpers", Names: "drop filter flatMap map take"},
			{On: "IteratorPrototype", Of: "iteratorConsumers", Names: "every find forEach reduce some toArray [SymbolDispose]"},
			{On: "AsyncIteratorPrototype", Of: "asyncIteratorMethods", Names: "[SymbolAsyncDispose]"},
			{On: "IteratorPrototype", Of: "moreIteratorHelpers", Names: "chunks includes join windows"},
		},
	},
	{
		Name: "promises", Needs: []string{"operations"}, Files: []string{"language/promise.js", "language/promise_keyed.js"},
		Methods: []Methods{
			{On: "Promise", Of: "promiseFunctions", Names: "try withResolvers"},
			{On: "Promise", Of: "keyedFunctions", Names: "allKeyed allSettledKeyed"},
		},
		Use: "Promise.try(() => 1)",
	},
	{
		Name: "bytes", Needs: []string{"operations", "base64"},
		Files: []string{"language/array_buffer_transfer.js", "language/uint8array_text.js"},
		Methods: []Methods{
			{On: "ArrayBufferPrototype", Of: "bufferMethods", Names: "transfer transferToFixedLength"},
			{On: "Uint8Array", Of: "byteFunctions", Names: "fromBase64 fromHex"},
			{On: "Uint8Array.prototype", Of: "byteMethods", Names: "setFromBase64 setFromHex toBase64 toHex"},
		},
		Use: "Uint8Array.fromHex('')",
	},
	{
		Name: "texts", Needs: []string{"operations", "base64"}, Files: []string{"language/well_formed.js", "language/regexp_escape.js"},
		Methods: []Methods{
			{On: "StringPrototype", Of: "wellFormedMethods", Names: "isWellFormed toWellFormed"},
			{On: "RegExp", Of: "expressionFunctions", Names: "escape"},
		},
		Use: "RegExp.escape('a')",
	},
	{
		Name: "numbers", Needs: []string{"operations"}, Files: []string{"language/sum_precise.js", "language/float16.js"},
		Methods: []Methods{
			{On: "Math", Of: "sumFunctions", Names: "sumPrecise"},
			{On: "Math", Of: "halfFunctions", Names: "f16round"},
			{On: "DataViewPrototype", Of: "halfMethods", Names: "getFloat16 setFloat16"},
		},
		Use: "Math.sumPrecise([1])",
	},
	{
		Name: "disposal", Needs: []string{"operations"},
		Files:   []string{"language/dispose.js", "language/disposable_stack.js", "language/async_disposable_stack.js"},
		Globals: []string{"SuppressedError", "DisposableStack", "AsyncDisposableStack"},
	},
	{
		Name: "json", Needs: []string{"operations"}, Files: []string{"language/json_parse.js", "language/json_raw.js"},
		Methods: []Methods{{On: "JSON", Of: "rawFunctions", Names: "isRawJSON rawJSON"}},
		Use:     "JSON.isRawJSON(1)",
	},
	{
		Name: "dates", Needs: []string{}, Files: []string{"language/date_setters.js"},
		Methods: []Methods{
			{
				On: "DatePrototype", Of: "dateSetters",
				Names: "setDate setHours setMilliseconds setMinutes setMonth setSeconds" +
					" setUTCDate setUTCHours setUTCMilliseconds setUTCMinutes setUTCMonth setUTCSeconds",
			},
		},
		Use: "new Date(0).setDate(1)",
	},
	{
		Name: "locales", Files: []string{"language/locale_information.js"},
		Methods: []Methods{{On: "globalObject.Intl", Names: "Locale"}},
		Use:     "typeof Intl.Locale",
	},
	{
		Name: "durations", Needs: []string{"operations"}, Files: []string{"language/duration_record.js", "language/duration_format.js"},
		Methods: []Methods{{On: "globalObject.Intl", Names: "DurationFormat"}},
		Use:     "typeof Intl.DurationFormat",
	},
}

// common lists what parts and eager files share.
var common = []Part{
	{Name: "brands", Files: []string{"brands.js", "platform_objects.js"}, Use: "new Map()"},
	{
		Name: "interfaces", Needs: []string{"brands"},
		Files: []string{"webidl.js", "webidl_interface.js", "webidl_iterable.js", "queue.js"},
		Use:   "typeof Event",
	},
	{Name: "base64", Files: []string{"base64.js", "language/text_of_bytes.js"}, Use: "Uint8Array.fromHex('')"},
	{
		Name: "encoding_kinds", Needs: []string{"brands"}, Files: []string{"codec_encode_kinds.js", "codec_references.js"},
		Use: "new Map()",
	},
	{Name: "decoding", Files: []string{"codec_decode.js", "codec_decode_kinds.js"}, Use: "structuredClone([])"},
	{
		Name: "faults", Needs: []string{"brands", "encoding_kinds"}, Files: []string{"stack.js", "hints.js", "fault.js"},
		Use: "new Error().stack",
	},
	{
		Name: "inspection", Needs: []string{"brands"}, Files: []string{"inspect.js", "inspect_objects.js", "inspect_layout.js"},
		Use: "console.log({})",
	},
	{Name: "reports", Needs: []string{"faults"}, Files: []string{"report.js", "microtask.js"}, Functions: []string{"queueMicrotask", "reportError"}},
	{
		Name: "timers", Files: []string{"timers.js"},
		Functions: []string{"setTimeout", "clearTimeout", "setInterval", "clearInterval"},
	},
	{
		Name: "console", Files: []string{"console_format.js", "console.js"}, Globals: []string{"console"},
	},
	{Name: "console_table", Needs: []string{"brands", "inspection", "console"}, Files: []string{"console_table.js"}, Use: "console.table([1])"},
	{Name: "functions", Files: []string{"functions.js"}, Functions: []string{"atob", "btoa", "structuredClone"}},
	{Name: "deferred_namespace", Files: []string{"deferred_namespace.js"}, UsedBy: "the declaration import defer"},
}
