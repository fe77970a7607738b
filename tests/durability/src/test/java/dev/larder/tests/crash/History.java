package dev.larder.tests.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The messages that were acknowledged to writers, and those that tailers have read, kept outside the queue: the judge of a run.
 *
 * <p>No message whose append returned is lost. No message appears twice or torn. Each writer's order is kept. A batch is there
 * whole or not at all. Every tailer has seen the same sequence, except for gaps: messages that were dropped before it came to
 * them.
 */
final class History {

    /** A message as a tailer read it, whose {@code sum} is 0 if it was torn; or a gap, from its position to the next message. */
    record Seen(long position, long word, long sum) {
        boolean isGap() {
            return word == QueueTailer.GAP;
        }
    }

    /** How many messages a writer's returned appends had acknowledged, and how many the unreturned one would have. */
    record Acknowledged(long done, long intended) {}

    private static final int SEEN_BYTES = 24;

    private final Map<Integer, Acknowledged> writers = new HashMap<>();
    private final List<List<Seen>> tailers = new ArrayList<>();
    private final List<String> ofSuccessions = new ArrayList<>();

    void writer(int number, Acknowledged acknowledged) {
        writers.put(number, acknowledged);
    }

    void tailer(List<Seen> messages) {
        tailers.add(messages);
    }

    /** Treats the tailers of a name as one. */
    void succession(Succession succession) {
        tailers.add(succession.messages());
        ofSuccessions.addAll(succession.faults());
    }

    /** Returns the whole records of a tailer's report, without a record that a kill has cut off. */
    static List<Seen> seen(Path report) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(report));
            List<Seen> messages = new ArrayList<>(bytes.limit() / SEEN_BYTES);
            while (bytes.remaining() >= SEEN_BYTES) {
                messages.add(new Seen(bytes.getLong(), bytes.getLong(), bytes.getLong()));
            }
            return messages;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long messages() {
        return tailers.isEmpty()
                ? 0
                : tailers.getFirst().stream().filter(seen -> !seen.isGap()).count();
    }

    long acknowledged() {
        return writers.values().stream().mapToLong(Acknowledged::done).sum();
    }

    /** Returns everything that is wrong. */
    List<String> faults() {
        List<String> faults = new ArrayList<>(ofSuccessions);
        for (int i = 0; i < tailers.size(); i++) {
            checkTailer("tailer " + i, tailers.get(i), faults);
            List<Seen> one = outsideGaps(tailers.getFirst(), tailers.get(i));
            List<Seen> other = outsideGaps(tailers.get(i), tailers.getFirst());
            if (!one.equals(other)) {
                faults.add("tailer " + i + " has seen another sequence than tailer 0: " + firstDifference(one, other));
            }
        }
        return faults;
    }

    /** Returns the messages of a tailer that lie in no gap of another tailer. */
    private static List<Seen> outsideGaps(List<Seen> messages, List<Seen> other) {
        NavigableMap<Long, Long> gaps = gaps(other);
        return messages.stream()
                .filter(seen -> !seen.isGap() && !isWithin(gaps, seen.position()))
                .toList();
    }

    private static boolean isWithin(NavigableMap<Long, Long> gaps, long position) {
        Map.Entry<Long, Long> before = gaps.floorEntry(position);
        return before != null && position < before.getValue();
    }

    /** Returns where gaps begin, and where each ends: at the next message. Gaps that touch are one. */
    private static NavigableMap<Long, Long> gaps(List<Seen> messages) {
        NavigableMap<Long, Long> gaps = new TreeMap<>();
        long start = -1;
        for (Seen seen : messages) {
            if (seen.isGap()) {
                start = start < 0 ? seen.position() : start;
                gaps.put(start, Long.MAX_VALUE);
            } else if (start >= 0) {
                gaps.put(start, seen.position());
                start = -1;
            }
        }
        return gaps;
    }

    private static String firstDifference(List<Seen> one, List<Seen> other) {
        int at = 0;
        while (at < one.size() && at < other.size() && one.get(at).equals(other.get(at))) {
            at++;
        }
        return one.size() + " and " + other.size() + " messages, equal up to " + at;
    }

    private void checkTailer(String name, List<Seen> messages, List<String> faults) {
        Map<Integer, Long> next = new HashMap<>();
        Set<Integer> unknown = new HashSet<>(); // writers whose messages may lie in the gap before
        long position = -1;
        for (Seen seen : messages) {
            if (seen.isGap()) {
                unknown.addAll(writers.keySet());
                continue;
            }
            if (seen.position() <= position) {
                faults.add(name + ": position " + seen.position() + " after " + position);
            }
            position = seen.position();
            if (seen.word() == Poison.WORD) {
                faults.add(name + ": poisoned bytes of a former life at " + position);
                continue;
            }
            if (seen.sum() == 0) {
                faults.add(name + ": torn message at " + position);
            }
            int writer = Message.writer(seen.word());
            long expected = next.getOrDefault(writer, 0L);
            long sequence = Message.sequence(seen.word());
            if (unknown.remove(writer) ? sequence < expected : sequence != expected) {
                faults.add(name + ": writer " + writer + " has " + sequence + " at " + position + ", expected "
                        + expected);
            }
            next.put(writer, sequence + 1);
        }
        writers.forEach((writer, acknowledged) -> {
            if (!unknown.contains(writer)) {
                checkEnd(name + ": writer " + writer, next.getOrDefault(writer, 0L), acknowledged, faults);
            }
        });
        next.keySet().stream()
                .filter(writer -> !writers.containsKey(writer))
                .forEach(writer -> faults.add(name + ": nobody is writer " + writer));
    }

    private static void checkEnd(String name, long found, Acknowledged acknowledged, List<String> faults) {
        if (found < acknowledged.done()) {
            faults.add(name + ": " + (acknowledged.done() - found) + " acknowledged messages lost; " + found + " of "
                    + acknowledged.done() + " are there");
        } else if (found != acknowledged.done() && found != acknowledged.intended()) {
            faults.add(name + ": part of an append is there: " + found + ", acknowledged " + acknowledged.done()
                    + ", whole " + acknowledged.intended());
        }
    }
}
