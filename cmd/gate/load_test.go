package main

import (
	"strings"
	"testing"
)

// This file owns the tests of the flags of gate soak; what it does is tested in
// package soak.

func TestSoakFlags(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--target", "moon"}, `--target is "moon", must be pool or daemon`},
		{[]string{"--connections", "200"}, "--connections is of no use with the target pool"},
		{[]string{"--target", "daemon", "--count", "10"}, "--count is of no use with the target daemon"},
		{[]string{"--target", "daemon", "--binary", "/nowhere/isogate", "--tenants", "1"}, "1 tenants, must be at least 2"},
		{[]string{"--target", "daemon", "--binary", "/nowhere/isogate", "--time", "-1s"}, "must be positive"},
		{[]string{"--target", "daemon", "--binary", "/nowhere/isogate"}, "/nowhere/isogate"},
	} {
		status, stdout, stderr := gateCommand(t, append([]string{"soak"}, test.args...)...)
		if status != exitSetup || stdout != "" || !strings.Contains(stderr, test.want) {
			t.Errorf("%v: %d, %s%s, want %q", test.args, status, stdout, stderr, test.want)
		}
	}
}
