package reports

import (
	"encoding/json"
	"reflect"
	"time"
)

// This file owns the copy of a record in which every text is harmless to look at.

// shown returns a copy of a record whose every text went through [visible], so that no
// form that is made from it can forget one.
func shown(r *Record) *Record {
	return harmless(reflect.ValueOf(r)).Interface().(*Record)
}

var (
	timeType = reflect.TypeFor[time.Time]()
	rawType  = reflect.TypeFor[json.RawMessage]()
)

func harmless(v reflect.Value) reflect.Value {
	if v.Type() == timeType {
		return v
	}
	if v.Type() == rawType {
		if v.Len() == 0 {
			return v
		}
		return reflect.ValueOf(json.RawMessage(visible(string(v.Bytes()))))
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(harmless(v.Elem()))
		return out
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		for i := range v.NumField() {
			out.Field(i).Set(harmless(v.Field(i)))
		}
		return out
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(harmless(v.Index(i)))
		}
		return out
	case reflect.String:
		return reflect.ValueOf(visible(v.String())).Convert(v.Type())
	}
	return v
}
