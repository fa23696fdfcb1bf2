package bench

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"testing"
)

// This file lets the test binary be the samplers that the tests start.

// samplerMode is the environment variable that makes the test binary a sampler: a
// good one, or one of those that misbehave.
const samplerMode = "ISOGATE_TEST_SAMPLER"

func TestMain(m *testing.M) {
	if mode := os.Getenv(samplerMode); mode != "" {
		os.Exit(beSampler(mode))
	}
	os.Exit(m.Run())
}

// beSampler is the process of a sampler.
func beSampler(mode string) int {
	in := bufio.NewScanner(os.Stdin)
	switch mode {
	case "good":
		if err := Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
	case "dies":
		in.Scan()
		fmt.Fprintln(os.Stderr, "out of ideas")
		return 3
	case "dies at once":
		return 3
	case "silent": // reads all, answers nothing
		for in.Scan() {
			continue
		}
	case "garbage":
		in.Scan()
		fmt.Println("BenchmarkWarmRun 1 2 ns/op")
		for in.Scan() {
			continue
		}
	case "empty":
		for in.Scan() {
			fmt.Println("{}")
		}
	case "long":
		in.Scan()
		line := make([]byte, maxLine+1)
		for i := range line {
			line[i] = 'x'
		}
		fmt.Println(string(line))
	}
	return 0
}
