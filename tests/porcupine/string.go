package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// A line of the history of a server's strings:
//
//	key commands results called returned
//
// Commands take effect at once. They are parted by commas, and so are their results: as many. The result ? alone is a call
// whose client got no answer, and whose return is the greatest number: it had its effect at any time, or none (open.go).
//
//	command     result                       it is
//	get         value, nil                   GET
//	set:v       OK                           SET key v
//	px:v:ms     OK                           SET key v PX ms
//	nx:v xx:v   OK, nil                      SET key v NX, XX
//	incr        number, err                  INCR
//	append:v    number: the new length       APPEND
//	getdel      value, nil                   GETDEL
//	del         1, 0                         DEL
//	xadd:v      OK                           XADD key * f v
//	xall        v.w.x, nil                   XRANGE key - +
//	xlen        number                       XLEN
//	xtrim:n     number: how many went        XTRIM key MAXLEN n, where n is at least 1
//
// No value is nil, OK, err or ?, is empty or holds a blank, a comma or a colon; none of an entry holds a dot. A key is used as a
// string or as a stream, not as both: a stream is the text of its entries with dots between.
//
// A lifetime begins, by the server's clock, between the call and the return of its command. A key may be seen until its
// latest end, and missed from its earliest one on. The clocks of the servers may differ from the history's by some ms.

const skewNanos = 20_000_000

// command is one command of a call.
type command struct{ name, argument string }

// invocation is the commands of a call, and its times.
type invocation struct {
	commands         string
	called, returned int64
}

// text is what a key holds.
type text struct {
	value    string
	exists   bool
	mortal   bool  // it has a lifetime
	earliest int64 // its end is not before
	latest   int64 // its end is not after
}

var none = text{}

func parseCommand(word string) command {
	name, argument, _ := strings.Cut(word, ":")
	return command{name, argument}
}

// lives returns what a key may hold as a call takes effect: the same, or nothing, or either.
func (t text) lives(call invocation) []text {
	if !t.exists || !t.mortal {
		return []text{t}
	}
	var may []text
	if call.called <= t.latest {
		may = append(may, t)
	}
	if call.returned >= t.earliest {
		may = append(may, none)
	}
	return may
}

// run returns the result of a command, and what the key holds behind it.
func (c command) run(before text, call invocation) (result string, after text) {
	held := "nil"
	if before.exists {
		held = before.value
	}
	switch c.name {
	case "get":
		return held, before
	case "set":
		return "OK", text{value: c.argument, exists: true}
	case "px":
		return "OK", mortal(c.argument, call)
	case "nx", "xx":
		if before.exists == (c.name == "nx") {
			return "nil", before
		}
		return "OK", text{value: c.argument, exists: true}
	case "incr":
		return increment(before)
	case "append":
		after = before
		after.value, after.exists = before.value+c.argument, true
		return strconv.Itoa(len(after.value)), after
	case "getdel":
		return held, none
	case "xadd":
		after = before
		after.value, after.exists = c.argument, true
		if before.exists {
			after.value = before.value + "." + c.argument
		}
		return "OK", after
	case "xall":
		return held, before
	case "xlen":
		return strconv.Itoa(before.entries()), before
	case "xtrim":
		most, _ := strconv.Atoi(c.argument)
		after = before
		gone := max(before.entries()-most, 0)
		if gone > 0 {
			after.value = strings.Join(strings.Split(before.value, ".")[gone:], ".")
		}
		return strconv.Itoa(gone), after
	default: // del
		if before.exists {
			return "1", none
		}
		return "0", none
	}
}

// entries returns how many a stream has.
func (t text) entries() int {
	if !t.exists {
		return 0
	}
	return strings.Count(t.value, ".") + 1
}

func mortal(argument string, call invocation) text {
	value, millis, _ := strings.Cut(argument, ":")
	lifetime, _ := strconv.ParseInt(millis, 10, 64)
	nanos := lifetime * 1_000_000
	latest := int64(math.MaxInt64)
	if call.returned < latest-nanos-skewNanos {
		latest = call.returned + nanos + skewNanos
	}
	return text{value: value, exists: true, mortal: true, earliest: call.called + nanos - skewNanos, latest: latest}
}

func increment(before text) (result string, after text) {
	number := int64(0)
	if before.exists {
		var err error
		number, err = strconv.ParseInt(before.value, 10, 64)
		if err != nil {
			return "err", before
		}
	}
	after = before
	after.value, after.exists = strconv.FormatInt(number+1, 10), true
	return after.value, after
}

// run returns the results of a call's commands, and what the key holds behind them.
func (call invocation) run(before text) (results string, after text) {
	all := make([]string, 0, 4)
	after = before
	for _, word := range strings.Split(call.commands, ",") {
		var result string
		result, after = parseCommand(word).run(after, call)
		all = append(all, result)
	}
	return strings.Join(all, ","), after
}

var known = map[string]bool{
	"get": true, "set": true, "px": true, "nx": true, "xx": true, "incr": true, "append": true, "getdel": true, "del": true,
	"xadd": true, "xall": true, "xlen": true, "xtrim": true,
}

var stringForm = form{
	words: 5,
	parse: func(middle []string, called, returned int64) (interface{}, interface{}, error) {
		for _, word := range strings.Split(middle[0], ",") {
			if !known[parseCommand(word).name] {
				return nil, nil, fmt.Errorf("unknown command %q", word)
			}
		}
		return invocation{middle[0], called, returned}, middle[1], nil
	},
	// An order without the writes of which no answer has told is an order. They are tried only where there is none.
	check: func(history []porcupine.Operation, deadline time.Time) (verdict, error) {
		for _, toldOnly := range []bool{true, false} {
			changed, open, err := withArrivals(history, toldOnly)
			if err != nil {
				return verdict{}, err
			}
			found := judged(open.model(), changed, deadline)
			if found.result != porcupine.Illegal || !toldOnly {
				return found, nil
			}
		}
		panic("unreachable")
	},
}
