package gate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isogate/isogate/gate/native"
)

// This file owns the rule that no known way to take memory or time is left
// without an attack.

// rows are the known attacks on memory (M) and on time (T), as the sources of
// attacks name them.
func rows() []string {
	var out []string
	add := func(letter string, from, to int) {
		for n := from; n <= to; n++ {
			out = append(out, fmt.Sprintf("%s%02d", letter, n))
		}
	}
	for _, span := range [][2]int{{1, 5}, {7, 7}, {9, 14}, {16, 22}, {24, 24}, {26, 27}, {29, 32}, {34, 35}} {
		add("M", span[0], span[1])
	}
	// 12 to 35 are native functions that V8 does not interrupt.
	for _, span := range [][2]int{{1, 4}, {6, 9}, {11, 35}, {37, 38}, {40, 42}} {
		add("T", span[0], span[1])
	}
	return out
}

// testedElsewhere are the rows that no attack can carry out, and the test that
// stands for them.
var testedElsewhere = map[string]string{
	"T42": "internal/repository/clocks_test.go", // setting the clock of the machine would disturb all that runs on it
}

func TestEveryRowIsAttacked(t *testing.T) {
	model, err := LoadModel("..")
	if err != nil {
		t.Fatal(err)
	}
	attacked := map[string]bool{}
	for _, claim := range model.Claims {
		for _, a := range claim.Attacks {
			for _, row := range strings.Fields(a.Source) {
				attacked[row] = true
			}
		}
		for _, name := range claim.Native {
			a, _ := native.Find(name.Name)
			for _, row := range strings.Fields(a.Source) {
				attacked[row] = true
			}
		}
	}
	for _, row := range rows() {
		file := testedElsewhere[row]
		switch {
		case file == "" && !attacked[row]:
			t.Errorf("no attack has %s as its source", row)
		case file != "" && attacked[row]:
			t.Errorf("%s is attacked: take it out of testedElsewhere", row)
		case file != "":
			if _, err := os.Stat(filepath.Join("..", file)); err != nil {
				t.Errorf("%s: %v", row, err)
			}
		}
	}
}
