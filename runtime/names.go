package runtime

import "strings"

// This file owns the names that variables of the bundle get.

// engineNames are words that the engine's own snapshot holds, the short ones first: names
// of properties of its built-in objects. Every isolate has a table of all words that
// its code names; a variable that is called like one of these adds none.
//
// Words of one character, and descriptions of the engine's symbols and special values such as
// "hole", are not among them, although the engine holds those as well. They are in its read-only memory,
// which all isolates of a process share, and a snapshot refers to such a word by a number that means another
// one while an isolate of another snapshot lives: then the engine does not find the variable.
var engineNames = strings.Fields(`
	$1 $2 $3 $4 $5 $6 $7 $8 $9 $_ PI as at id is ok or tt LN2 Map NFC NFD Set UTC abs add all and any big cos day dir era exp h11 h12 h23 h24 has log
	ltr map max min nan now pop pow raw rtl sep sin sub sup tan xor Date Intl JSON LN10 Math NFKC NFKD acos asin atan auto bind bold call cbrt ceil code
	cosh days done exec fill find flat font from full hour href ideo imul info join kana keys line link list load log2 long meta min2 name next none
	push race seal sign sinh size some sort sqrt tanh term test then time trim type unit wait warn week word year Array Error LOG2E Proxy SQRT2 acosh
	apply asinh atan2 atanh blank blink cause clear clz32 color count debug deref error every expm1 first fixed flags floor group hours hypot index
	input isNaN log10 log1p loose lower match month never other parse proxy round shift short slice small split stack store style table total trace
	trunc upper usage value weeks years BigInt LOG10E Locale Module Number Object RegExp Script String Symbol always anchor asIntN assert assign bigint
	buffer callee caller charAt column concat create dirxml dotAll errors escape expand fields filter format freeze fround getDay global groups hasOwn
	hour12 isEval isView isoDay keyFor length letter linear locale medium minute months narrow native normal notify number object offset padEnd random
	reason reduce region reject repeat revoke script search second select shared source splice status sticky strict strike string substr symbol target
	toJSON values Boolean EPSILON Promise Reflect SQRT1_2 WeakMap WeakRef WeakSet asUintN boolean compact compare compile console context current
	dateAdd decimal dialect digital element entries eraYear flatMap forEach getDate getInt8 getThis getTime getYear indexOf indices integer isArray
	isAsync iso8601 isoHour isoYear italics literal message minutes numeric ordinal ownKeys percent profile quarter rawJSON replace resolve reverse
	seconds segment setDate setInt8 setTime setYear species timeEnd timeLog toFixed trimEnd unicode unknown unshift valueOf weekday weekend CallSite
	Collator DataView Function Segments ToObject URIError baseName calendar cardinal currency endRange endsWith exchange fallback findLast firstDay
	fontsize fraction getHours getInt16 getInt32 getMonth getUint8 grapheme groupEnd growable halfCeil halfEven includes infinity isFinite isFrozen
	isNative isSealed isoMonth iterator language matchAll maximize minimize negative notation overflow padStart parseInt plusSign position register
	rejected sentence setHours setInt16 setInt32 setMonth setUint8 standard subarray textInfo timeZone toString trimLeft unescape weekInfo writable
	yearName Arguments Construct EvalError Generator Int8Array LinkError MAX_VALUE MIN_VALUE Segmenter TypeError __proto__ adoptText anonymous breakType
	calendars caseFirst character collation constrain construct dateStyle dateUntil dayOfWeek dayOfYear dayPeriod decodeURI direction encodeURI
	exception findIndex fontcolor fulfilled getUTCDay getUint16 getUint32 halfFloor halfTrunc hourCycle isInteger isoMinute isoSecond lastIndex
	lastMatch lastParen minusSign monthCode multiline normalize plainDate plainTime prototype resizable revocable setUint16 setUint32 stringify
	substring timeStamp timeStyle timeZones trimRight trimStart waitAsync Int16Array Int32Array ListFormat RangeError TypedArray Uint8Array accounting
	allSettled byteLength byteOffset charCodeAt collations containing copyWithin countReset daysInWeek daysInYear enumerable exceptZero getFloat32
	getFloat64 getMinutes getSeconds getUTCDate globalThis halfExpand hasIndices hourCycles hoursInDay ignoreCase inLeapYear isLockFree isToplevel
	isWordLike nanosecond parseFloat profileEnd relativeTo replaceAll scientific setFloat32 setFloat64 setMinutes setSeconds setUTCDate sourceText
	startRange startsWith unregister weekOfYear ArrayBuffer MapIterator PluralRules SetIterator ShadowRealm SharedArray SyntaxError Uint16Array
	Uint32Array cleanupSome codePointAt conjunction constructor daysDisplay daysInMonth description disjunction engineering formatRange fromEntries
	getBigInt64 getFileName getFullYear getFunction getPosition getTypeName getUTCHours getUTCMonth granularity hasInstance largestUnit lastIndexOf
	leftContext mergeFields microsecond millisecond minimalDays nanoseconds percentSign reduceRight relatedYear selectRange sensitivity setBigInt64
	setFullYear setUTCHours setUTCMonth signDisplay toGMTString toISOString toLowerCase toPrecision toPrimitive toStringTag toUTCString toUpperCase
	unicodeSets unitDisplay unscopables useGrouping CompileError DisplayNames Float32Array Float64Array NumberFormat RuntimeError SharedStruct
	configurable currencySign epochSeconds fromCharCode getBigUint64 hoursDisplay isExtensible isPromiseAll microseconds milliseconds monthsInYear
	narrowSymbol rightContext roundingMode setBigUint64 smallestUnit timeZoneName toDateString toTimeString weeksDisplay yearsDisplay AsyncFunction
	BigInt64Array PromiseReject asyncIterator dateTimeField findLastIndex formatToParts fromCodePoint getEvalOrigin getLineNumber getMethodName
	getScriptHash getUTCMinutes getUTCSeconds isConstructor isPrototypeOf isSafeInteger isoNanosecond jsMemoryRange lessPrecision localeCompare
	maxByteLength monthsDisplay morePrecision setUTCMinutes setUTCSeconds toExponential AggregateError AsyncGenerator BigUint64Array DateTimeFormat
	PromiseResolve ReferenceError StringIterator compactDisplay dateFromFields defineProperty deleteProperty getPrototypeOf getUTCFullYear
	groupCollapsed hasOwnProperty isoMicrosecond isoMillisecond minutesDisplay secondsDisplay setPrototypeOf setUTCFullYear stripIfInteger
	toLocaleString compareExchange currencyDisplay exponentInteger getColumnNumber getFunctionName getMilliseconds getPromiseIndex languageDisplay
	numberingSystem resolvedOptions setMilliseconds stackTraceLimit v8BreakIterator MAX_SAFE_INTEGER MIN_SAFE_INTEGER __defineGetter__ __defineSetter__
	__lookupGetter__ __lookupSetter__ defineProperties epochNanoseconds fractionalDigits fractionalSecond jsMemoryEstimate numberingSystems
	roundingPriority BYTES_PER_ELEMENT GeneratorFunction NEGATIVE_INFINITY POSITIVE_INFINITY SharedArrayBuffer Uint8ClampedArray approximatelySign
	captureStackTrace epochMicroseconds epochMilliseconds exponentMinusSign exponentSeparator getTimezoneOffset ignorePunctuation offsetNanoseconds
	preventExtensions roundingIncrement supportedValuesOf toLocaleLowerCase toLocaleUpperCase RelativeTimeFormat decodeURIComponent encodeURIComponent
	formatRangeToParts getUTCMilliseconds isConcatSpreadable monthDayFromFields nanosecondsDisplay setUTCMilliseconds supportedLocalesOf
	toLocaleDateString toLocaleTimeString getCanonicalLocales getOwnPropertyNames microsecondsDisplay millisecondsDisplay trailingZeroDisplay
	yearMonthFromFields FinalizationRegistry RegExpStringIterator ResizableArrayBuffer minimumIntegerDigits propertyIsEnumerable getOwnPropertySymbols
	maximumFractionDigits minimumFractionDigits AsyncGeneratorFunction fractionalSecondDigits getEnclosingLineNumber getPossibleInstantsFor
	isTraceCategoryEnabled getOffsetNanosecondsFor getEnclosingColumnNumber getOwnPropertyDescriptor getScriptNameOrSourceURL maximumSignificantDigits
	minimumSignificantDigits getOwnPropertyDescriptors arrayBufferConstructor_DoNotInitialize
`)
