package executor_test

import (
	"context"
	"fmt"
	"log"

	"github.com/isogate/isogate/executor"
)

func ExampleIsolateExecutor() {
	ctx := context.Background()
	e, err := executor.New(ctx, executor.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()

	result, err := e.Execute(ctx, executor.Request{
		Source: `async ({city}) => (await weather.today(city)).toUpperCase()`,
		Input:  map[string]any{"city": "Oslo"},
		Tools: executor.Tools{"weather": {
			"today": func(ctx context.Context, args []any) (any, error) {
				return fmt.Sprintf("rain in %s", args[0]), nil
			},
		}},
	})
	if err != nil {
		log.Fatal(err) // a typed fault, see package protocol
	}
	value, err := result.Decode()
	fmt.Println(value, err)
	// Output: RAIN IN OSLO <nil>
}
