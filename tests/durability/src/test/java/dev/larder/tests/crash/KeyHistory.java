package dev.larder.tests.crash;

import dev.larder.tests.crash.MapClerk.Note;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether the calls on one key, made at once, have an order in which they could have come one after the other: each at a moment
 * between its call and its return, and each with its result. (Herlihy and Wing; the search is by Wing and Gong, with Lowe's
 * memory of visited places.)
 *
 * <pre>
 * time  ->    |--- put 1 ---|      |--- get: 1 ---|
 *                  |------ remove: 1 ------|             put, get, remove
 * </pre>
 *
 * A call that did not return, because its process was killed, may have had its effect at any moment until then, or never.
 */
final class KeyHistory {

    /** Calls in rows; each call of a row was made after the one before it had returned. */
    private final List<List<Note>> rows = new ArrayList<>();

    /** A place in the search: how many calls of each row are placed, and the value after them. */
    private record Place(List<Integer> placed, long value) {

        int count() {
            return placed.stream().mapToInt(Integer::intValue).sum();
        }
    }

    /** The calls of one key; a call that did not return must have its process's end as the time of its return. */
    KeyHistory(List<Note> calls) {
        calls.stream().sorted(Comparator.comparingLong(Note::called)).forEach(this::add);
    }

    private void add(Note note) {
        List<Note> row = rows.stream()
                .filter(calls -> calls.getLast().returned() < note.called())
                .findFirst()
                .orElseGet(() -> {
                    rows.add(new ArrayList<>());
                    return rows.getLast();
                });
        row.add(note);
    }

    /** Returns the note of a call that did not return. */
    static Note unreturned(Note note, long ended) {
        return new Note(note.kind(), note.key(), note.argument(), -1, note.called(), ended);
    }

    /** Searches for such an order; empty if there is one, else a text with the calls of which none can come next. */
    Optional<String> misfit() {
        Deque<Place> open = new ArrayDeque<>();
        Set<Place> seen = new HashSet<>();
        Place furthest = new Place(Collections.nCopies(rows.size(), 0), 0);
        int all = rows.stream().mapToInt(List::size).sum();
        open.push(furthest);
        while (!open.isEmpty()) {
            Place place = open.pop();
            furthest = place.count() > furthest.count() ? place : furthest;
            if (place.count() == all) {
                return Optional.empty();
            }
            goOn(place, open, seen);
        }
        return Optional.of(describe(furthest, all));
    }

    /** Goes to all next places: a call can be placed if it had begun before any other unplaced call returned. */
    private void goOn(Place place, Deque<Place> open, Set<Place> seen) {
        long earliest = Long.MAX_VALUE;
        for (int row = 0; row < rows.size(); row++) {
            earliest = Math.min(earliest, next(place, row).map(Note::returned).orElse(Long.MAX_VALUE));
        }
        for (int row = 0; row < rows.size(); row++) {
            Optional<Note> note = next(place, row);
            if (note.isPresent() && note.get().called() <= earliest) {
                place(place, row, note.get(), open, seen);
            }
        }
    }

    private Optional<Note> next(Place place, int row) {
        int number = place.placed.get(row);
        return number < rows.get(row).size() ? Optional.of(rows.get(row).get(number)) : Optional.empty();
    }

    private static void place(Place place, int row, Note note, Deque<Place> open, Set<Place> seen) {
        boolean returned = note.result() >= 0;
        if (!returned) {
            goTo(place, row, place.value, open, seen); // the call had no effect
        }
        if (!returned || resultOf(note, place.value) == note.result()) {
            goTo(place, row, after(note, place.value), open, seen);
        }
    }

    private static void goTo(Place from, int row, long value, Deque<Place> open, Set<Place> seen) {
        List<Integer> placed = new ArrayList<>(from.placed);
        placed.set(row, placed.get(row) + 1);
        Place next = new Place(placed, value);
        if (seen.add(next)) {
            open.push(next);
        }
    }

    private static long after(Note note, long value) {
        return switch (note.kind()) {
            case GET -> value;
            case PUT -> note.argument();
            case REMOVE -> 0;
            case PUT_IF_ABSENT -> value == 0 ? note.argument() : value;
            case COMPUTE -> MapClerk.computed(value, note.argument());
        };
    }

    private static long resultOf(Note note, long value) {
        return note.kind() == MapClerk.Kind.COMPUTE ? MapClerk.computed(value, note.argument()) : value;
    }

    private String describe(Place place, int all) {
        StringBuilder text = new StringBuilder(place.count() + " of " + all + " calls have an order; the value is "
                + place.value + ", and next come:\n");
        for (int row = 0; row < rows.size(); row++) {
            int from = place.placed.get(row);
            List<Note> calls = rows.get(row);
            text.append("  ")
                    .append(calls.subList(Math.max(0, from - 1), Math.min(calls.size(), from + 2)))
                    .append('\n');
        }
        return text.toString();
    }
}
