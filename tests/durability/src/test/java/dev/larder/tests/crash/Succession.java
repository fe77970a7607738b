package dev.larder.tests.crash;

import dev.larder.log.Position;
import dev.larder.tests.crash.History.Seen;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * The processes that had a name's tailer, one after the other, as one tailer; a message that was handled again counts once.
 *
 * <p>Each process must begin where the one before it has left the name's place. That is behind the last message whose handler
 * had returned, or before it, if the process was killed before the place was moved. A place that moves by commits is behind the
 * last commit that had returned, or behind the one that had begun. If a process begins before that, the place has gone back; if
 * it begins behind that, it has passed messages over.
 */
final class Succession {

    private final String name;
    private final List<Seen> messages = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    /** How many of the messages may lie before the place: all numbers that are possible. */
    private TreeSet<Integer> behind = new TreeSet<>(List.of(0));

    private boolean moved;
    private long again;

    Succession(String name, List<Readings> processes) {
        this.name = name;
        processes.stream()
                .filter(process -> process.takenOverNanos() > 0)
                .sorted(Comparator.comparingLong(Readings::takenOverNanos))
                .forEach(this::add);
        trim();
    }

    /** Returns the messages that all these processes have read. */
    List<Seen> messages() {
        return messages;
    }

    List<String> faults() {
        return faults;
    }

    /** Returns how many messages were handled once more. */
    long again() {
        return again;
    }

    private void add(Readings process) {
        List<Seen> read = seen(process);
        if (!read.isEmpty()) {
            int start = start(read.getFirst());
            again += messages.size() - start;
            messages.subList(start, messages.size()).clear();
            if (start == 0 && Position.segment(read.getFirst().position()) > 0) {
                messages.add(new Seen(0, QueueTailer.GAP, 1)); // a process that has read nothing begins at the oldest
            }
            int before = messages.size();
            messages.addAll(read);
            leave(process, before);
        }
    }

    private static List<Seen> seen(Readings process) {
        List<Seen> seen = new ArrayList<>();
        for (long i = 0, count = process.count(); i < count; i++) {
            seen.add(new Seen(process.position(i), process.word(i), process.sum(i)));
        }
        return seen;
    }

    /** Returns how many messages lie before the first one of a successor. */
    private int start(Seen first) {
        for (int count : behind.descendingSet()) {
            if (isNext(first, count)) {
                return count;
            }
        }
        faults.add(name + ": its next process began at " + Position.toString(first.position()) + ", and not behind "
                + behind + " messages, the last of which is at "
                + (messages.isEmpty()
                        ? "none"
                        : Position.toString(messages.getLast().position())));
        return messages.size();
    }

    private boolean isNext(Seen first, int count) {
        boolean fromStart = !moved && count == behind.first();
        boolean later = count == 0 || isBehind(first, messages.get(count - 1));
        if (fromStart || count == messages.size()) {
            return later;
        }
        Seen known = messages.get(count);
        return first.isGap()
                ? later && first.position() <= known.position()
                : first.position() == known.position() && first.word() == known.word();
    }

    private static boolean isBehind(Seen first, Seen last) {
        return last.isGap() ? first.position() >= last.position() : first.position() > last.position();
    }

    /** Notes the places that a process may have left, wherever it was killed. */
    private void leave(Readings process, int before) {
        behind = new TreeSet<>();
        if (!name.equals(NamedTailer.HANDLED)) {
            behind.add(before + (int) process.committedCount());
            behind.add(before + (int) process.committingCount());
            moved |= process.committedCount() > 0;
            return;
        }
        behind.add(messages.size() - 1);
        if (isLookedAt(messages.getLast())) {
            behind.add(messages.size());
        }
        moved |= messages.subList(before, messages.size()).stream()
                        .filter(seen -> !seen.isGap())
                        .count()
                > 1; // the first one's handler has returned
    }

    private static boolean isLookedAt(Seen seen) {
        return seen.sum() != Readings.NOT_LOOKED_AT;
    }

    /** Removes the last message if no process has looked at it. */
    private void trim() {
        if (!messages.isEmpty() && !isLookedAt(messages.getLast())) {
            messages.removeLast();
        }
    }
}
