package codemode

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/isogate/isogate/protocol"
)

// This file owns the values of tool calls as the dialect writes them: JSON, in which bytes
// are a tagged object.

const (
	binaryTag  = "__codemode_binary_v1__"
	binaryData = "data"
)

// decodeArguments reads the arguments of a call. A tagged object is bytes, at any depth.
func decodeArguments(text string) ([]any, error) {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return nil, fmt.Errorf("the arguments cannot be read: %w", err)
	}
	value, err := revive(value)
	if err != nil {
		return nil, err
	}
	if list, ok := value.([]any); ok {
		return list, nil
	}
	return []any{value}, nil
}

// revive returns a decoded value with what is tagged in it as bytes.
func revive(value any) (any, error) {
	var err error
	switch v := value.(type) {
	case []any:
		for i := range v {
			if v[i], err = revive(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for key := range v {
			if v[key], err = revive(v[key]); err != nil {
				return nil, err
			}
		}
		return tagged(v)
	}
	return value, nil
}

func tagged(object map[string]any) (any, error) {
	kind, is := object[binaryTag]
	text, has := object[binaryData].(string)
	if !is || !has {
		return object, nil
	}
	data, err := fromBase64(text)
	if err != nil {
		return nil, err
	}
	if kind == "ArrayBuffer" {
		return protocol.Bytes{Type: "ArrayBuffer", Data: data}, nil
	}
	return protocol.Bytes{Type: "Uint8Array", Data: data}, nil
}

// fromBase64 reads base64 as atob does: with white space anywhere, and with or without padding.
func fromBase64(text string) ([]byte, error) {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune("\t\n\f\r ", r) {
			return -1
		}
		return r
	}, text)
	if len(text)%4 == 0 {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "="), "=")
	}
	data, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil, errNoBase64
	}
	return data, nil
}

// encodeReply returns the text of a tool's value; none when the value is undefined. Go values are taken
// as [protocol.Encode] takes them. What no limit allows is an error; any other limit is the executor's to check.
func encodeReply(value any) (text string, defined bool, err error) {
	encoded, err := protocol.Encode(value, protocol.Bounds{Bytes: protocol.MaxLimits.Reply})
	var bound *protocol.BoundError
	if errors.As(err, &bound) && bound.What == protocol.BoundBytes {
		return "", false, tooLarge(bound.Actual)
	}
	if err != nil {
		return "", false, err
	}
	if !bytes.Contains(encoded, []byte(`"$"`)) {
		return string(encoded), true, nil // plain JSON is the same in both forms
	}
	tree, err := protocol.Decode(encoded, protocol.Bounds{Bytes: protocol.MaxLimits.Reply})
	if err != nil {
		return "", false, err
	}
	w := writer{open: map[uintptr]int{}}
	defined, err = w.value(tree)
	return string(w.out), defined, err
}

// writer writes decoded values as JSON.stringify would write them.
type writer struct {
	out  []byte
	open map[uintptr]int // the objects that are being written, by their places in way
	way  []step
}

// step is an object that is being written.
type step struct {
	constructor string
	key         string // of the member that is being written, as the text of a circle has it
}

// value writes one value. It reports false, and writes nothing, for undefined.
func (w *writer) value(v any) (bool, error) {
	switch v := v.(type) {
	case protocol.Undefined, protocol.Hole:
		return false, nil
	case nil:
		w.out = append(w.out, "null"...)
	case bool:
		w.out = strconv.AppendBool(w.out, v)
	case string:
		return true, w.json(v)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			w.out = append(w.out, "null"...)
			return true, nil
		}
		return true, w.json(v + 0) // -0 is 0
	case *big.Int:
		return true, failure("Do not know how to serialize a BigInt")
	case protocol.Date:
		t, ok := v.Time()
		if !ok {
			w.out = append(w.out, "null"...)
			return true, nil
		}
		return true, w.json(t.Format("2006-01-02T15:04:05.000Z"))
	case protocol.URL:
		return true, w.json(v.Href)
	case protocol.Bytes:
		kind := v.Type
		if kind != "Uint8Array" && kind != "ArrayBuffer" {
			kind = "ArrayBufferView"
		}
		w.out = fmt.Appendf(w.out, `{"%s":"%s","%s":"%s"}`, binaryTag, kind, binaryData, base64.StdEncoding.EncodeToString(v.Data))
	case []any:
		return true, w.array(v)
	case map[string]any:
		return true, w.object(v)
	default: // Map, Set, RegExp, Error: no properties of their own
		w.out = append(w.out, "{}"...)
	}
	return true, nil
}

func (w *writer) array(list []any) error {
	if len(list) > 0 {
		if err := w.enter(list, "Array"); err != nil {
			return err
		}
		defer w.leave(list)
	}
	w.out = append(w.out, '[')
	for i, v := range list {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.way[len(w.way)-1].key = "index " + strconv.Itoa(i)
		defined, err := w.value(v)
		if err != nil {
			return err
		}
		if !defined {
			w.out = append(w.out, "null"...)
		}
	}
	w.out = append(w.out, ']')
	return nil
}

func (w *writer) object(object map[string]any) error {
	if len(object) > 0 { // empty ones may share an address, and hold nothing
		if err := w.enter(object, "Object"); err != nil {
			return err
		}
		defer w.leave(object)
	}
	w.out = append(w.out, '{')
	first := true
	for _, key := range slices.Sorted(maps.Keys(object)) {
		before := len(w.out)
		if !first {
			w.out = append(w.out, ',')
		}
		if err := w.json(key); err != nil {
			return err
		}
		w.out = append(w.out, ':')
		w.way[len(w.way)-1].key = keyText(key)
		defined, err := w.value(object[key])
		if err != nil {
			return err
		}
		if !defined {
			w.out = w.out[:before]
			continue
		}
		first = false
	}
	w.out = append(w.out, '}')
	return nil
}

// enter notes an object, and refuses one that is within itself.
func (w *writer) enter(object any, constructor string) error {
	at := reflect.ValueOf(object).Pointer()
	if start, is := w.open[at]; is {
		return circle(w.way[start:])
	}
	w.open[at] = len(w.way)
	w.way = append(w.way, step{constructor: constructor})
	return nil
}

func (w *writer) leave(object any) {
	delete(w.open, reflect.ValueOf(object).Pointer())
	w.way = w.way[:len(w.way)-1]
}

func keyText(key string) string {
	if key == "" {
		return "<anonymous>"
	}
	return "property '" + key + "'"
}

// circle is V8's text of a circle, given the way around it: of a long one the
// middle is left out.
func circle(way []step) error {
	const first, last = 2, 1
	var b strings.Builder
	fmt.Fprintf(&b, "Converting circular structure to JSON\n    --> starting at object with constructor '%s'", way[0].constructor)
	for i := 1; i < len(way); i++ {
		if left := len(way) - i; i == first+1 && left > last {
			b.WriteString("\n    |     ...")
			i = len(way) - last
		}
		fmt.Fprintf(&b, "\n    |     %s -> object with constructor '%s'", way[i-1].key, way[i].constructor)
	}
	fmt.Fprintf(&b, "\n    --- %s closes the circle", way[len(way)-1].key)
	return failure(b.String())
}

func (w *writer) json(v any) error {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	w.out = append(w.out, strings.TrimSuffix(b.String(), "\n")...)
	return nil
}
