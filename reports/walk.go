package reports

import (
	"fmt"
	"strings"
)

// This file owns the record of a walk over the built-ins (see package
// gate/walk) and its section of the Markdown report.

// Walk is what a walk over every reachable function has seen.
type Walk struct {
	Seed uint64 `json:"seed"`
	// Functions is how many can be reached; Cases how many calls were made of
	// the Possible ones.
	Functions int `json:"functions"`
	Cases     int `json:"cases"`
	Possible  int `json:"possible"`
	// How the calls ended.
	Values      int `json:"values"`
	GuestErrors int `json:"guestErrors"`
	Interrupted int `json:"interrupted"`
	Killed      int `json:"killed"`
	Memory      int `json:"memory"`
	OtherLimits int `json:"otherLimits"`
	// Uninterruptible names the functions that only a kill has ended.
	Uninterruptible []string `json:"uninterruptible,omitempty"`
	// Crashes are calls that ended the child, in a typed fault; Wrong are those
	// that ended in no permitted way, or late.
	Crashes   []string `json:"crashes,omitempty"`
	Wrong     []string `json:"wrong,omitempty"`
	LongestMS float64  `json:"longestMs"`
}

// text says what was called and how the calls ended.
func (w *Walk) text() string {
	return fmt.Sprintf("%d functions can be reached. %d of %d hostile calls were made (seed %d): %d ended in a value, %d in a guest error, "+
		"%d were interrupted at the deadline, %d killed, %d passed a memory bound, %d another bound, %d crashed the child. The longest took %.0f ms.",
		w.Functions, w.Cases, w.Possible, w.Seed, w.Values, w.GuestErrors, w.Interrupted, w.Killed, w.Memory, w.OtherLimits, len(w.Crashes), w.LongestMS)
}

func walkText(w *Walk) string {
	if w == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(w.text() + "\n\n")
	if len(w.Uninterruptible) > 0 {
		b.WriteString("Ended by a kill only: " + codeList(w.Uninterruptible) + ".\n\n")
	}
	b.WriteString(list("Calls that crashed their child", w.Crashes))
	b.WriteString(list("Calls that ended wrongly", w.Wrong))
	return folded("The walk over the built-ins", b.String())
}
