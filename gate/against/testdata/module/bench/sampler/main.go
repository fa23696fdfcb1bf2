// Command sampler speaks the protocol of samplers.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/isogate/isogate/bench"
)

func main() {
	all, err := bench.All()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	out := json.NewEncoder(os.Stdout)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var request struct {
			Take string `json:"take"`
			List bool   `json:"list"`
		}
		if err := json.Unmarshal(lines.Bytes(), &request); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		var answer any
		if request.List {
			answer = list(all)
		} else {
			answer = take(all, request.Take)
		}
		if err := out.Encode(answer); err != nil {
			os.Exit(2)
		}
	}
}

func list(all []bench.Benchmark) any {
	type listed struct {
		Name  string   `json:"name"`
		Units []string `json:"units"`
	}
	var benchmarks []listed
	for _, b := range all {
		benchmarks = append(benchmarks, listed{b.Name, b.Sorted()})
	}
	return map[string]any{"benchmarks": benchmarks}
}

func take(all []bench.Benchmark, name string) any {
	for _, b := range all {
		if b.Name != name {
			continue
		}
		values, err := b.Sample()
		if err != nil {
			return map[string]any{"error": err.Error()}
		}
		return map[string]any{"values": values}
	}
	return map[string]any{"error": "there is no benchmark " + name}
}
