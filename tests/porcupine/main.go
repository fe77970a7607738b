// Command porcupine says whether a recorded history of calls on the keys of a store, made by several clients at once, has an
// order in which they could have come one after the other, each key by itself: by a checker that others have written and use.
//
//	porcupine MODEL HISTORY [PICTURE.html]
//
// MODEL says what a key is, and how the lines of HISTORY are read:
//
//	map      a key of LarderMap, see map.go
//	string   a string of a server, see string.go
//
// HISTORY has a line for each call: words parted by blanks, the first one the key, the last two the times in ns at which it was
// called and returned. The exit code is 0 where every key has such an order, 1 where one has none, which is then named and
// drawn, 2 where a history is not as above, or took longer than five minutes.
package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

const limit = 5 * time.Minute

// form is how calls of a kind of key are read and judged.
type form struct {
	words int // of a line
	parse func(middle []string, called, returned int64) (input, output interface{}, err error)
	check func(history []porcupine.Operation, deadline time.Time) (verdict, error)
}

// verdict is whether the calls of a key have an order, and how far the checker came, to be drawn.
type verdict struct {
	result porcupine.CheckResult
	model  porcupine.Model
	order  porcupine.LinearizationInfo
}

func judged(model porcupine.Model, history []porcupine.Operation, deadline time.Time) verdict {
	result, order := porcupine.CheckOperationsVerbose(model, history, max(time.Until(deadline), time.Millisecond))
	return verdict{result, model, order}
}

var forms = map[string]form{"map": mapForm, "string": stringForm}

func (f form) read(path string) (map[string][]porcupine.Operation, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	histories := make(map[string][]porcupine.Operation)
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for number := 1; lines.Scan(); number++ {
		key, operation, err := f.line(strings.Fields(lines.Text()))
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %q: %w", path, number, lines.Text(), err)
		}
		histories[key] = append(histories[key], operation)
	}
	return histories, lines.Err()
}

func (f form) line(words []string) (key string, operation porcupine.Operation, err error) {
	if len(words) != f.words {
		return "", operation, fmt.Errorf("%d words, and not %d", len(words), f.words)
	}
	last := len(words) - 1
	called, err := strconv.ParseInt(words[last-1], 10, 64)
	if err != nil {
		return "", operation, err
	}
	returned, err := strconv.ParseInt(words[last], 10, 64)
	if err != nil {
		return "", operation, err
	}
	input, output, err := f.parse(words[1:last-1], called, returned)
	return words[0], porcupine.Operation{Input: input, Output: output, Call: called, Return: returned}, err
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
	if len(arguments) < 2 || len(arguments) > 3 {
		fmt.Fprintln(os.Stderr, "usage: porcupine map|string HISTORY [PICTURE.html]")
		return 2
	}
	chosen, ok := forms[arguments[0]]
	if !ok {
		fmt.Fprintf(os.Stderr, "no model %q\n", arguments[0])
		return 2
	}
	histories, err := chosen.read(arguments[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	deadline := time.Now().Add(limit)
	for key, history := range histories {
		rows(history)
		found, err := chosen.check(history, deadline)
		if err != nil {
			fmt.Fprintf(os.Stderr, "key %s: %v\n", key, err)
			return 2
		}
		switch found.result {
		case porcupine.Unknown:
			fmt.Printf("key %s: %d calls, not judged within %v\n", key, len(history), limit)
			return 2
		case porcupine.Illegal:
			fmt.Printf("key %s: %d calls have no order\n", key, len(history))
			if len(arguments) == 3 {
				if err := porcupine.VisualizePath(found.model, found.order, arguments[2]); err != nil {
					fmt.Fprintln(os.Stderr, err)
				}
			}
			return 1
		}
	}
	fmt.Printf("%d keys have an order each\n", len(histories))
	return 0
}

func main() { os.Exit(judge(os.Args[1:])) }
