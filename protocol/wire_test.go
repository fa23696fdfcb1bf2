package protocol

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file owns the golden wire files in testdata/wire: one for each message
// type and each fault. They are the contract with hosts in other languages;
// `go test ./protocol -update` writes them anew.

// golden compares text, indented, with a golden file.
func golden(t *testing.T, name string, text []byte) {
	t.Helper()
	var indented bytes.Buffer
	if err := json.Indent(&indented, text, "", "  "); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	indented.WriteByte('\n')
	path := filepath.Join("testdata", "wire", name+".json")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, indented.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(readFile(t, path)), indented.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// readGolden returns a golden file, as a peer might send it.
func readGolden(t *testing.T, name string) []byte {
	t.Helper()
	return readFile(t, filepath.Join("testdata", "wire", name+".json"))
}

func TestGoldenMessages(t *testing.T) {
	seen := map[Type]bool{}
	for _, m := range sampleMessages() {
		t.Run(string(m.MessageType()), func(t *testing.T) {
			seen[m.MessageType()] = true
			text, err := EncodeMessage(m)
			if err != nil {
				t.Fatal(err)
			}
			name := "message_" + string(m.MessageType())
			golden(t, name, text)
			back, err := DecodeMessage(text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(m, back, cmp.AllowUnexported(faultTypes...)); diff != "" {
				t.Errorf("decoded (-want +got):\n%s", diff)
			}
			// The indented file means the same, but for white space in codec text.
			if _, err := DecodeMessage(readGolden(t, name)); err != nil {
				t.Errorf("the golden file is refused: %v", err)
			}
		})
	}
	for name := range newMessage {
		if !seen[name] {
			t.Errorf("there is no sample of %q", name)
		}
	}
}

func TestGoldenFaults(t *testing.T) {
	seen := map[Code]bool{}
	for _, sample := range sampleFaults() {
		f := sample.fault
		t.Run(string(f.Code()), func(t *testing.T) {
			seen[f.Code()] = true
			text, err := EncodeFault(f)
			if err != nil {
				t.Fatal(err)
			}
			name := "fault_" + string(f.Code())
			golden(t, name, text)
			back, err := DecodeFault(readGolden(t, name))
			if err != nil {
				t.Fatal(err)
			}
			// The golden file is indented, also the codec text in it.
			if thrown, ok := back.(*Thrown); ok {
				var compact bytes.Buffer
				if err := json.Compact(&compact, thrown.Value); err != nil {
					t.Fatal(err)
				}
				thrown.Value = compact.Bytes()
			}
			if diff := cmp.Diff(f, back, cmp.AllowUnexported(faultTypes...)); diff != "" {
				t.Errorf("decoded (-want +got):\n%s", diff)
			}
		})
	}
	for _, code := range Codes() {
		if !seen[code] {
			t.Errorf("there is no sample of %q", code)
		}
	}
}

// Every golden file belongs to a sample.
func TestNoGoldenFileIsLeftOver(t *testing.T) {
	files, err := filepath.Glob("testdata/wire/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if want := len(newMessage) + len(newFault); len(files) != want {
		t.Errorf("there are %d golden files, %d are expected", len(files), want)
	}
}
