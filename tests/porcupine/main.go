// Command porcupine says whether a recorded history of calls on a map, made by several processes at once, has an order in
// which they could have come one after the other: a second opinion, by a checker that others have written and use.
//
//	porcupine HISTORY [PICTURE.html]
//
// HISTORY has a line for each call, times in ns:
//
//	key kind argument result called returned
//
// kind is get, put, remove, putIfAbsent or compute; 0 as a result is none; -1 is a call that did not return, since its
// process was killed: it had its effect before that end, or none. The exit code is 0 where every key has such an order, 1
// where one has none, which is then named and drawn, 2 where a history is not as above, or took longer than five minutes.
package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

const (
	unreturned = -1
	limit      = 5 * time.Minute
)

type call struct {
	key      int64
	kind     string
	argument int64
}

// computed is what the recorded compute makes of a value; 0 is none. As in MapClerk.computed.
func computed(value, argument int64) int64 {
	if argument%3 == 0 {
		return 0
	}
	return ((value*31 + argument) & math.MaxInt64) | 1
}

// apply returns what a call gives, and the value behind it.
func (c call) apply(value int64) (result, after int64) {
	switch c.kind {
	case "get":
		return value, value
	case "put":
		return value, c.argument
	case "remove":
		return value, 0
	case "putIfAbsent":
		if value == 0 {
			return value, c.argument
		}
		return value, value
	default: // compute
		made := computed(value, c.argument)
		return made, made
	}
}

// entry is one key of a map.
var entry = porcupine.NondeterministicModel{
	Init: func() []interface{} { return []interface{}{int64(0)} },
	Step: func(state, input, output interface{}) []interface{} {
		result, after := input.(call).apply(state.(int64))
		switch {
		case output.(int64) == unreturned:
			return []interface{}{state, after}
		case output.(int64) == result:
			return []interface{}{after}
		default:
			return nil
		}
	},
	DescribeOperation: func(input, output interface{}) string {
		return fmt.Sprintf("%s(%d): %d", input.(call).kind, input.(call).argument, output)
	},
}

func read(path string) (map[int64][]porcupine.Operation, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	histories := make(map[int64][]porcupine.Operation)
	lines := bufio.NewScanner(file)
	for number := 1; lines.Scan(); number++ {
		var made call
		var result, called, returned int64
		_, err := fmt.Sscan(lines.Text(), &made.key, &made.kind, &made.argument, &result, &called, &returned)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %q: %w", path, number, lines.Text(), err)
		}
		switch made.kind {
		case "get", "put", "remove", "putIfAbsent", "compute":
		default:
			return nil, fmt.Errorf("%s, line %d: unknown kind %q", path, number, made.kind)
		}
		histories[made.key] = append(histories[made.key],
			porcupine.Operation{Input: made, Output: result, Call: called, Return: returned})
	}
	return histories, lines.Err()
}

// rows gives each call a row, for the picture: in a row each was called after the one before had returned.
func rows(history []porcupine.Operation) {
	sort.Slice(history, func(a, b int) bool { return history[a].Call < history[b].Call })
	var ends []int64
	for i := range history {
		row := 0
		for row < len(ends) && ends[row] >= history[i].Call {
			row++
		}
		if row == len(ends) {
			ends = append(ends, 0)
		}
		ends[row] = history[i].Return
		history[i].ClientId = row
	}
}

// judge returns the exit code.
func judge(arguments []string) int {
	if len(arguments) < 1 || len(arguments) > 2 {
		fmt.Fprintln(os.Stderr, "usage: porcupine HISTORY [PICTURE.html]")
		return 2
	}
	histories, err := read(arguments[0])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	model := entry.ToModel()
	for key, history := range histories {
		rows(history)
		result, order := porcupine.CheckOperationsVerbose(model, history, limit)
		switch result {
		case porcupine.Unknown:
			fmt.Printf("key %d: %d calls, not judged within %v\n", key, len(history), limit)
			return 2
		case porcupine.Illegal:
			fmt.Printf("key %d: %d calls have no order\n", key, len(history))
			if len(arguments) == 2 {
				if err := porcupine.VisualizePath(model, order, arguments[1]); err != nil {
					fmt.Fprintln(os.Stderr, err)
				}
			}
			return 1
		}
		fmt.Printf("key %d: %d calls have an order\n", key, len(history))
	}
	return 0
}

func main() { os.Exit(judge(os.Args[1:])) }
