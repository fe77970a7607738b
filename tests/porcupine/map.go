package main

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/anishathalye/porcupine"
)

// A line of a map's history:
//
//	key kind argument result called returned
//
// kind is get, put, remove, putIfAbsent or compute; 0 as a result is none; -1 is a call that did not return, since its
// process was killed: it had its effect before that end, or none.

const unreturned = -1

type call struct {
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

var mapForm = form{
	words: 6,
	parse: func(middle []string, called, returned int64) (interface{}, interface{}, error) {
		switch middle[0] {
		case "get", "put", "remove", "putIfAbsent", "compute":
		default:
			return nil, nil, fmt.Errorf("unknown kind %q", middle[0])
		}
		argument, err := strconv.ParseInt(middle[1], 10, 64)
		if err != nil {
			return nil, nil, err
		}
		result, err := strconv.ParseInt(middle[2], 10, 64)
		return call{kind: middle[0], argument: argument}, result, err
	},
	check: func(history []porcupine.Operation, deadline time.Time) (verdict, error) {
		return judged(mapModel.ToModel(), history, deadline), nil
	},
}

var mapModel = porcupine.NondeterministicModel{
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
