package runtime_test

import (
	"fmt"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/runtime"
	"github.com/isogate/isogate/sandbox/v8"
)

// This file holds the tests of the names that variables of the bundle get: that the engine
// has them, and finds variables of these names when it compiles a function after the restore.

// libraryOfNames returns a library whose only variables are called like that, a few in each
// scope. Its program's value is the list of the positions of those that a function does not find
// that was never compiled before.
func libraryOfNames(names []string) string {
	const scope = 60
	var b strings.Builder
	b.WriteString("(function () {\n'use strict';\nconst isogateReaders = [];\n")
	for from := 0; from < len(names); from += scope {
		some := names[from:min(from+scope, len(names))]
		b.WriteString("(function () {\n")
		for i, name := range some {
			fmt.Fprintf(&b, "const %s = %d;\n", name, from+i)
		}
		for i, name := range some {
			fmt.Fprintf(&b, "isogateReaders[%d] = () => %s === %d;\n", from+i, name, from+i)
		}
		b.WriteString("})();\n")
	}
	fmt.Fprintf(&b, `globalThis.__isogate_boot = (isogateHost) => {
  const isogateNothing = () => {};
  const isogateProgram = () => {
    const isogateLost = [];
    for (let isogateAt = 0; isogateAt < isogateReaders.length; isogateAt++) {
      let isogateFound = false;
      try {
        isogateFound = isogateReaders[isogateAt]();
      } catch {}
      if (!isogateFound) isogateLost.push(isogateAt);
    }
    isogateHost(%d, JSON.stringify([isogateReaders.length, ...isogateLost]));
  };
  return [isogateNothing, isogateProgram, ...Array(9).fill(isogateNothing)];
};
})();
`, v8.OpResult)
	return b.String()
}

// findNames returns the value of a program of libraryOfNames. An isolate of another snapshot, that of the
// tests' sandbox, lives meanwhile.
func findNames(names []string) (string, error) {
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer)
	go func() {
		goruntime.LockOSThread() // never unlocked: the thread ends with the goroutine
		var a answer
		defer func() { answers <- a }()
		v8.Init(v8.Options{})
		blob, err := v8.Snapshot(libraryOfNames(names), "names.js")
		if err != nil {
			a.err = err
			return
		}
		var pinner goruntime.Pinner
		pinner.Pin(&blob[0])
		defer pinner.Unpin()
		isolate, err := v8.NewIsolate(blob, protocol.DefaultLimits.Heap, func(c v8.HostCall) int64 {
			if c.Op == v8.OpResult {
				a.text = c.Texts[0]
			}
			return 0
		})
		if err != nil {
			a.err = err
			return
		}
		defer isolate.Dispose()
		for _, outcome := range []v8.Outcome{
			isolate.Begin(protocol.DefaultLimits.External, v8.Allowed{}, "{}"),
			isolate.Run("() => 1", "program.js", false, ""),
		} {
			if outcome.Status != v8.OK {
				a.err = fmt.Errorf("the program of names: %+v", outcome)
			}
		}
	}()
	a := <-answers
	return a.text, a.err
}

func TestEngineFindsVariablesOfItsNames(t *testing.T) {
	value(t, "() => 1") // the sandbox's next isolate lives from here on
	names := runtime.EngineNames
	got, err := findNames(names)
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("[%d]", len(names)); got != want {
		t.Errorf("the number of names and the positions of those that are not found: %s, want %s", got, want)
	}
}

// The same with a word that may not be among the names, which shows what the test above shows.
func TestEngineDoesNotFindReadOnlyWords(t *testing.T) {
	value(t, "() => 1")
	for _, word := range []string{"basic_block_counters_marker", "IntlLegacyConstructedSymbol"} {
		got, err := findNames([]string{"map", word, "filter"})
		if err != nil {
			t.Fatal(err)
		}
		if got != "[3,1]" {
			t.Errorf("%s: %s", word, got)
		}
	}
}
