package runtime

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// This file owns the renaming of the bundle's variables.

// shorten renames variables and removes what separates words. Names of properties, and so
// of methods, stay.
//
// Variables get short names that no word of the script is equal to. Those outside of the parts,
// which every isolate has, get names of engineNames then, the most frequent ones the shortest.
func shorten(source string) string {
	const end = "})();"
	taken := wordsOf(source)
	for _, letter := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ$_" {
		taken[string(letter)] = true
	}
	// What is used behind the script, where it means a global, is no name for a variable.
	var b strings.Builder
	b.WriteString(source)
	// In order, so that the same files always make the same script.
	for _, word := range slices.Sorted(maps.Keys(taken)) {
		if !keywords[word] {
			b.WriteString("typeof " + word + ";\n")
		}
	}
	out := api.Transform(b.String(), api.TransformOptions{
		Loader: api.LoaderJS, Target: api.ES2022, Sourcefile: Name, LogLevel: api.LogLevelSilent,
		MinifyIdentifiers: true, MinifyWhitespace: true,
	})
	for _, problem := range append(out.Errors, out.Warnings...) {
		// The files are part of the binary: one of them is wrong.
		panic(fmt.Sprintf("%s: %s: %v", Name, problem.Text, problem.Location))
	}
	text := string(out.Code)
	at := strings.LastIndex(text, end)
	if at < 0 {
		panic(Name + ": the shortened script does not end as it should")
	}
	return rename(text[:at+len(end)]+"\n", taken)
}

// rename gives the variables of a script, which are its words that are neither taken nor reserved,
// names of engineNames as far as these go: those outside of the parts only. No such name is
// a word of the script already, as a global, as a property in a literal, or as a variable that keeps its name.
func rename(script string, taken map[string]bool) string {
	tokens := tokensOf(script)
	count := map[string]int{}  // of each variable
	eager := map[string]bool{} // the variables outside of the parts
	kept := map[string]bool{}  // the words that mean something already
	seen := 0
	for i, token := range tokens {
		switch {
		case !isName(token):
			seen += strings.Count(token, partsWord)
		case reserved[token]:
			// Perhaps one that the files do not have: undefined becomes void 0.
		case !taken[token]:
			count[token]++
			eager[token] = eager[token] || seen%2 == 0
		case i == 0 || !strings.HasSuffix(tokens[i-1], ".") || strings.HasSuffix(tokens[i-1], "..."):
			kept[token] = true
		}
	}
	var order []string
	for name := range count {
		if eager[name] {
			order = append(order, name)
		}
		// A variable that is renamed itself would be no obstacle, but there are names enough.
		kept[name] = true
	}
	sort.Slice(order, func(i, j int) bool {
		if count[order[i]] != count[order[j]] {
			return count[order[i]] > count[order[j]]
		}
		return order[i] < order[j]
	})
	names := map[string]string{}
	for _, name := range engineNames {
		if len(names) == len(order) {
			break
		}
		if !reserved[name] && !kept[name] {
			names[order[len(names)]] = name
		}
	}
	var b strings.Builder
	for _, token := range tokens {
		if name, ok := names[token]; ok {
			token = name
		}
		b.WriteString(token)
	}
	return b.String()
}

func isName(t string) bool {
	c := t[0]
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$'
}

// tokensOf cuts a script into words and what is between them; strings are between.
func tokensOf(s string) []string {
	var out []string
	start := 0
	flush := func(end int) {
		if end > start {
			out = append(out, s[start:end])
		}
		start = end
	}
	isPart := func(c byte) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$'
	}
	var braces []int
	depth := 0
	template := func(i int) int { // i is behind ` or }
		for ; ; i++ {
			switch {
			case s[i] == '\\':
				i++
			case s[i] == '`':
				return i + 1
			case s[i] == '$' && s[i+1] == '{':
				braces = append(braces, depth)
				depth++
				return i + 2
			}
		}
	}
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case isPart(c):
			flush(i)
			j := i
			for j < len(s) && isPart(s[j]) {
				j++
			}
			out = append(out, s[i:j])
			start = j
			i = j
		case c == '"' || c == '\'':
			for i++; s[i] != c; i++ {
				if s[i] == '\\' {
					i++
				}
			}
			i++
		case c == '`':
			i = template(i + 1)
		case c == '{':
			depth++
			i++
		case c == '}':
			depth--
			i++
			if n := len(braces); n > 0 && braces[n-1] == depth {
				braces = braces[:n-1]
				i = template(i)
			}
		default:
			i++
		}
	}
	flush(len(s))
	return out
}

// keywords are words that cannot be names of variables in strict code.
var keywords = wordsOf(`break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield let static implements interface package private protected public await`)

// reserved are the keywords and what is better not the name of a variable, because it means something in some places.
var reserved = func() map[string]bool {
	all := wordsOf("async of get set arguments eval undefined NaN Infinity")
	maps.Copy(all, keywords)
	return all
}()
