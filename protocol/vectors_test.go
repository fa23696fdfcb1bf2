package protocol

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file owns running the shared vectors through the Go codec.

// vector is one file of testdata/codec; see the README there.
type vector struct {
	Name      string  `json:"name"`
	JS        string  `json:"js"`
	Text      string  `json:"text"`
	Roundtrip bool    `json:"roundtrip"`
	GoText    *string `json:"goText"`
	Refused   bool    `json:"refused"`
	Strict    bool    `json:"strict"`
}

func readVectors(t testing.TB) []vector {
	t.Helper()
	files, err := filepath.Glob("testdata/codec/*.json")
	if err != nil || len(files) < 60 {
		t.Fatalf("there are %d vectors (%v), at least 60 are expected", len(files), err)
	}
	var out []vector
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var v vector
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		out = append(out, v)
	}
	return out
}

func TestVectors(t *testing.T) {
	for _, v := range readVectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			value, err := Decode(Value(v.Text), Bounds{})
			if checkErr := Check(Value(v.Text), Bounds{}); (checkErr == nil) != (err == nil) {
				t.Errorf("Check says %v, Decode %v", checkErr, err)
			}
			if v.Refused {
				if err == nil {
					t.Fatalf("%s was decoded to %#v", v.Text, value)
				}
				var wrong *DecodeError
				if !asError(err, &wrong) || wrong.Offset < 0 || wrong.Offset > int64(len(v.Text)) {
					t.Errorf("%s: the error %v has no offset within the text", v.Text, err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", v.Text, err)
			}
			got, err := Encode(value, Bounds{})
			if err != nil {
				t.Fatal(err)
			}
			want := v.Text
			if v.GoText != nil {
				want = *v.GoText
			} else if !v.Roundtrip {
				t.Fatal("a vector that is not refused and does not round-trip needs goText")
			}
			if diff := cmp.Diff(want, string(got)); diff != "" {
				t.Errorf("encoded after decoding (-want +got):\n%s", diff)
			}
			// Passed through, a text stays what it is.
			if through, err := Encode(Value(v.Text), Bounds{}); err != nil || string(through) != v.Text {
				t.Errorf("passed through: %s, %v", through, err)
			}
		})
	}
}
