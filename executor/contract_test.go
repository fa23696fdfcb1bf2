package executor_test

import (
	"context"
	"testing"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/internal/contracttest"
	"github.com/isogate/isogate/pool"
)

// This file owns the suite that every implementation of the interface passes.

func TestContract(t *testing.T) {
	contracttest.Run(t, func(t *testing.T) executor.Interface {
		e, err := executor.New(context.Background(), executor.Config{Pool: pool.Config{Size: 2}})
		if err != nil {
			t.Fatal(err)
		}
		return e
	})
}
