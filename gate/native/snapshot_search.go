package native

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"unicode/utf16"
)

// This file owns searching bytes for texts in the forms in which an engine or a
// library may keep them.

// hostText is a text that must not be found, and what it is.
type hostText struct{ what, text string }

// findTexts returns what each of the texts is that stands in the bytes: as it is, in
// two bytes for each character, in hexadecimal or in base64.
func findTexts(blob []byte, texts []hostText) []string {
	var found []string
	for _, t := range texts {
		if t.text == "" {
			continue
		}
		for _, form := range forms(t.text) {
			if bytes.Contains(blob, form.bytes) {
				found = append(found, t.what+form.how)
			}
		}
	}
	return found
}

// form is one way to write a text.
type form struct {
	how   string
	bytes []byte
}

func forms(text string) []form {
	var wide []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		wide = append(wide, byte(unit), byte(unit>>8))
	}
	out := []form{{"", []byte(text)}, {" in two bytes for each character", wide}, {" in hexadecimal", []byte(hex.EncodeToString([]byte(text)))}}
	// Within other text it may begin at any of three places of base64, and its ends
	// depend on what stands beside it.
	for shift := range 3 {
		encoded := base64.StdEncoding.EncodeToString(append(make([]byte, shift), text...))
		const border = 4
		if len(encoded) > 4*border {
			out = append(out, form{" in base64", []byte(encoded[border : len(encoded)-border])})
		}
	}
	return out
}
