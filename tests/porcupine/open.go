package main

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/anishathalye/porcupine"
)

// A write without an answer had its effect at any time behind its call, or never. Left to the checker as a call that never
// returns, each doubles what there is to try, and twenty are too many. So here they are part of the state:
//
//	call ?                 "arrives": a call that takes no time, and adds the write to those that are open
//	any other call         before it, open writes may have their effects, each once
//
// Writes have no effect before one is needed, nor one that does not lead to the next answer. Of two states with the same text,
// the one with more open writes can become all that the other can, so the other is left out.

// possible is what a key may hold, and the writes that may still have their effects: a byte each, in order.
type possible struct {
	text
	open string
}

// arrival is the call by which a write comes to those that are open.
type arrival struct{ write byte }

// writes are those without an answer that differ; a byte is a place in them.
type writes struct {
	calls []invocation
	told  told
}

// told is what answers tell of the parts of texts, between dots: each part that was added, and the one before it, which was the last
// when it was added; ambiguous if answers differ.
type told map[string]string

const (
	first     = "first" // in all answers
	ambiguous = "ambiguous"
)

func tell(history []porcupine.Operation) told {
	parts := make(told)
	for _, operation := range history {
		for _, result := range strings.Split(operation.Output.(string), ",") {
			before := first
			for _, part := range strings.Split(result, ".") {
				if known, ok := parts[part]; !ok || known == first {
					parts[part] = before
				} else if known != before && before != first {
					parts[part] = ambiguous
				}
				before = part
			}
		}
	}
	return parts
}

// fits returns whether a part can be added by a call to a text: not if answers tell of another one before it.
func (t told) fits(before text, call invocation) bool {
	for _, word := range strings.Split(call.commands, ",") {
		c := parseCommand(word)
		switch {
		case c.name == "get" || c.name == "xall":
			continue
		case c.name == "xadd" || (c.name == "append" && strings.HasPrefix(c.argument, ".")):
			known, ok := t[strings.TrimPrefix(c.argument, ".")]
			last := before.value[strings.LastIndexByte(before.value, '.')+1:]
			return !ok || known == first || known == ambiguous || known == last
		default:
			return true
		}
	}
	return true
}

// withArrivals returns a history whose writes without an answer arrive, and those writes; if asked, without those of which no
// answer has told.
func withArrivals(history []porcupine.Operation, toldOnly bool) ([]porcupine.Operation, writes, error) {
	open := writes{told: tell(history)}
	lifetimes := false
	for _, operation := range history {
		lifetimes = lifetimes || strings.Contains(operation.Input.(invocation).commands, "px:")
	}
	var changed []porcupine.Operation
	places := make(map[invocation]int)
	for _, operation := range history {
		call := operation.Input.(invocation)
		if operation.Output != "?" {
			changed = append(changed, operation)
			continue
		}
		if toldOnly && !open.told.tell(call) {
			continue
		}
		if !lifetimes {
			call.called = 0 // so the same commands are the same write
		}
		place, ok := places[call]
		if !ok {
			place = len(open.calls)
			places[call] = place
			open.calls = append(open.calls, call)
		}
		if place > math.MaxUint8 {
			return nil, writes{}, fmt.Errorf("more than %d writes have no answer", math.MaxUint8)
		}
		changed = append(changed, porcupine.Operation{
			ClientId: operation.ClientId, Input: arrival{byte(place)}, Output: "", Call: operation.Call, Return: operation.Call,
		})
	}
	return changed, open, nil
}

// tell returns whether some answer may tell of a write: of one that stores no value of its own each may.
func (t told) tell(call invocation) bool {
	for _, word := range strings.Split(call.commands, ",") {
		value, _, _ := strings.Cut(parseCommand(word).argument, ":")
		_, ok := t[strings.TrimPrefix(value, ".")]
		if (value == "" && word != "get" && word != "xall" && word != "xlen") || ok {
			return true
		}
	}
	return false
}

func with(open string, write byte) string {
	at := sort.Search(len(open), func(i int) bool { return open[i] >= write })
	return open[:at] + string([]byte{write}) + open[at:]
}

// has returns whether all that is open in another is open here too.
func has(open, other string) bool {
	at := 0
	for i := 0; i < len(other); i++ {
		for at < len(open) && open[at] < other[i] {
			at++
		}
		if at == len(open) || open[at] != other[i] {
			return false
		}
		at++
	}
	return true
}

// states are those of which none can become all that another can.
type states map[text][]string

// add returns whether a state was not there.
func (s states) add(state possible) bool {
	var kept []string
	for _, open := range s[state.text] {
		if has(open, state.open) {
			return false
		}
		if !has(state.open, open) {
			kept = append(kept, open)
		}
	}
	s[state.text] = append(kept, state.open)
	return true
}

func (s states) has(state possible) bool {
	for _, open := range s[state.text] {
		if open == state.open {
			return true
		}
	}
	return false
}

// sorted returns the states in an order that is the same for the same states.
func (s states) sorted() []possible {
	var all []possible
	for text, opens := range s {
		for _, open := range opens {
			all = append(all, possible{text, open})
		}
	}
	sort.Slice(all, func(a, b int) bool { return all[a].isBefore(all[b]) })
	return all
}

func (p possible) isBefore(other possible) bool {
	switch {
	case p.value != other.value:
		return p.value < other.value
	case p.open != other.open:
		return p.open < other.open
	case p.exists != other.exists:
		return other.exists
	case p.mortal != other.mortal:
		return other.mortal
	case p.earliest != other.earliest:
		return p.earliest < other.earliest
	default:
		return p.latest < other.latest
	}
}

// behind returns what a key may hold behind a call with an answer.
func (w writes) behind(before []possible, call invocation, output string) []possible {
	after := make(states)
	reached := make(states)
	var next []possible
	for _, state := range before {
		if reached.add(state) {
			next = append(next, state)
		}
	}
	wanted := call.wanted(output)
	for len(next) > 0 {
		now := next
		next = nil
		for _, state := range now {
			if !reached.has(state) || w.answers(state, call, output, after) {
				continue
			}
			for i := 0; i < len(state.open); i++ {
				if i > 0 && state.open[i] == state.open[i-1] {
					continue
				}
				rest := state.open[:i] + state.open[i+1:]
				write := w.calls[state.open[i]]
				for _, text := range w.effects(state.text, write) {
					if further := (possible{text, rest}); wanted.isNearer(state.text, text) && reached.add(further) {
						next = append(next, further)
					}
				}
			}
		}
	}
	return after.sorted()
}

// answers adds what may be behind a call in a state. Returns whether open writes that come earlier lead to nothing more: since the
// text stays, so they can come later, or since it is the same whatever was before.
func (w writes) answers(state possible, call invocation, output string, after states) bool {
	enough := false
	for _, now := range state.lives(call) {
		if results, text := call.run(now); results == output && w.told.fits(now, call) {
			after.add(possible{text, state.open})
			enough = enough || text == state.text || !call.keepsPart()
		}
	}
	return enough
}

// keepsPart returns whether what is behind a call depends on what was before, beyond what its answer tells.
func (call invocation) keepsPart() bool {
	switch word, _, _ := strings.Cut(call.commands, ","); parseCommand(word).name {
	case "append", "xadd", "xtrim":
		return true
	default:
		return false
	}
}

// want is what a text must be before a call for its answer: beyond being there, or not.
type want struct {
	value      string // this one; if empty, any
	length     int    // so long, at most; if negative, any
	notANumber bool
	entries    bool // any: it is a stream
}

// wanted returns what the first command's result tells.
func (call invocation) wanted(output string) want {
	word, _, _ := strings.Cut(call.commands, ",")
	result, _, _ := strings.Cut(output, ",")
	number, err := strconv.ParseInt(result, 10, 64)
	switch first := parseCommand(word); {
	case (first.name == "get" || first.name == "getdel") && result != "nil":
		return want{value: result, length: -1}
	case first.name == "incr" && err == nil:
		return want{value: strconv.FormatInt(number-1, 10), length: -1}
	case first.name == "incr":
		return want{length: -1, notANumber: true}
	case first.name == "append":
		return want{length: int(number) - len(first.argument)}
	case strings.HasPrefix(first.name, "x") && first.name != "xx": // a trim replaces nothing, and shortens all
		return want{length: -1, entries: true}
	default:
		return want{length: -1}
	}
}

// isNearer returns whether a write that changes a text may lead to what is wanted. Nothing leads on from a text that is not the
// beginning of the wanted one but a write that replaces it: and that has the same effect without the others before it.
func (w want) isNearer(before, after text) bool {
	// A lifetime may have ended before a write that no call shows, or may end after it: the key is then missing, and comes.
	if w.entries || w.notANumber || !after.exists || !before.exists || before.mortal || after.mortal {
		return true
	}
	number, err := strconv.ParseInt(after.value, 10, 64)
	if w.length >= 0 {
		return len(after.value) <= w.length
	}
	first, _, _ := strings.Cut(w.value, ".") // a number to which a text was added: each part begins with a dot
	wanted, wantedErr := strconv.ParseInt(first, 10, 64)
	if err == nil && wantedErr == nil && number <= wanted {
		return true
	}
	return w.value != "" && strings.HasPrefix(w.value, after.value)
}

// effects returns what a key may hold behind a write without an answer.
func (w writes) effects(before text, write invocation) []text {
	var after []text
	for _, now := range before.lives(write) {
		if w.told.fits(now, write) {
			_, behind := write.run(now)
			after = append(after, behind)
		}
	}
	return after
}

func equal(a, b interface{}) bool {
	left, right := a.([]possible), b.([]possible)
	if len(left) != len(right) {
		return false
	}
	for i := range left {
		if left[i] != right[i] {
			return false
		}
	}
	return true
}

// model returns the model of a history with arrivals.
func (w writes) model() porcupine.Model {
	return porcupine.Model{
		Init: func() interface{} { return []possible{{none, ""}} },
		Step: func(state, input, output interface{}) (bool, interface{}) {
			before := state.([]possible)
			var after []possible
			switch call := input.(type) {
			case arrival:
				arrived := make(states)
				for _, one := range before {
					arrived.add(possible{one.text, with(one.open, call.write)})
				}
				after = arrived.sorted()
			case invocation:
				after = w.behind(before, call, output.(string))
			}
			return len(after) > 0, after
		},
		Equal: equal,
		Hash: func(state interface{}) uint64 {
			hash := uint64(14695981039346656037) // FNV-1a
			for _, one := range state.([]possible) {
				for _, part := range []string{one.value, one.open} {
					for i := 0; i < len(part); i++ {
						hash = (hash ^ uint64(part[i])) * 1099511628211
					}
				}
			}
			return hash
		},
		DescribeOperation: func(input, output interface{}) string {
			if call, ok := input.(arrival); ok {
				return w.calls[call.write].commands + ": no answer"
			}
			return fmt.Sprintf("%s: %s", input.(invocation).commands, output)
		},
		DescribeState: func(state interface{}) string { return fmt.Sprintf("%+v", state) },
	}
}
