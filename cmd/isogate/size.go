package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// This file owns how bounds are written on the command line.

// units are the factors that may follow a number, in lower case.
var units = map[string]int64{
	"": 1, "b": 1,
	"k": 1 << 10, "m": 1 << 20, "g": 1 << 30,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
	"kb": 1e3, "mb": 1e6, "gb": 1e9,
}

// size is a flag that holds a number of bytes, zero until it is set.
type size int64

// Set reads a whole number and a unit: 64MiB, 512k, 1GB, 1048576.
func (s *size) Set(text string) error {
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	unit, known := units[strings.ToLower(text[len(digits):])]
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !known || n < 0 || n > math.MaxInt64/unit {
		return fmt.Errorf("%q is no size; write one as 64MiB, 512k or 1048576", text)
	}
	if n == 0 {
		return fmt.Errorf("%q: a limit of zero bytes allows nothing; leave the flag out for the default", text)
	}
	*s = size(n * unit)
	return nil
}

func (s *size) String() string { return "" }

// Type names the kind of value in the help.
func (s *size) Type() string { return "SIZE" }

// span is a flag that holds a duration, zero until it is set.
type span time.Duration

// Set reads a duration as Go writes it: 30s, 1m30s, 250ms.
func (s *span) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("%q is no duration; write one as 30s, 1m30s or 250ms", text)
	}
	if d <= 0 {
		return fmt.Errorf("%q: a limit must be longer than nothing; leave the flag out for the default", text)
	}
	*s = span(d)
	return nil
}

func (s *span) String() string { return "" }

// Type names the kind of value in the help.
func (s *span) Type() string { return "DURATION" }
