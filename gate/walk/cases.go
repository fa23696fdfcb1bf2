package walk

import (
	"math/rand/v2"
	"strings"
)

// This file owns what is tried: which receiver and which arguments each
// function is called with. What the names mean is in guest.js.

// Case is one call of one function.
type Case struct {
	// Path leads to the function from a root of guest.js.
	Path []string `json:"path"`
	// Receiver names what is this, or is "new".
	Receiver string `json:"receiver"`
	Args     string `json:"args"`
}

// Function returns the function for people, as in global.Array.prototype.fill.
func (c Case) Function() string {
	steps := make([]string, len(c.Path))
	for i, step := range c.Path {
		steps[i] = strings.TrimPrefix(step, "key:")
	}
	return strings.Join(steps, ".")
}

// String returns the case for people: the function, the receiver, the arguments.
func (c Case) String() string {
	return c.Function() + " (" + c.Receiver + "; " + c.Args + ")"
}

// combinations are the receivers and arguments that every function is called with.
var combinations = [][2]string{
	{"none", "empty"}, {"none", "length"}, {"none", "million"}, {"none", "long"}, {"none", "iterable"}, {"none", "gigabyte"},
	{"natural", "empty"}, {"natural", "huge"}, {"natural", "gigabyte"}, {"natural", "long"}, {"natural", "callback"},
	{"natural", "cycle"}, {"natural", "pattern"}, {"natural", "negative"}, {"natural", "bigint"},
	{"large", "empty"}, {"large", "huge"}, {"large", "long"}, {"large", "callback"}, {"large", "negative"},
	{"length", "empty"}, {"length", "huge"}, {"length", "callback"}, {"length", "negative"},
	{"throwing", "throwing"}, {"endless", "endless"},
	{"new", "empty"}, {"new", "huge"}, {"new", "length"}, {"new", "iterable"}, {"new", "long"}, {"new", "throwing"},
}

// cases returns every case for the functions, in an order that the seed
// decides; at most sample of them unless sample is 0.
func cases(paths [][]string, seed uint64, sample int) []Case {
	var all []Case
	for _, path := range paths {
		for _, c := range combinations {
			all = append(all, Case{Path: path, Receiver: c[0], Args: c[1]})
		}
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if sample > 0 && sample < len(all) {
		all = all[:sample]
	}
	return all
}
