package dev.larder.tests.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What writers were acknowledged and what tailers have read, outside the queue: the judge of a run.
 *
 * <p>No message whose append returned is lost; none appears twice or torn; each writer's order is kept; a batch is
 * there whole or not at all; and every tailer has seen the same sequence.
 */
final class History {

    /** A message as a tailer read it; {@code sum} is 0 when it was torn. */
    record Seen(long position, long word, long sum) {}

    /** How far a writer's appends have returned, and how far the one that had not would have gone. */
    record Acknowledged(long done, long intended) {}

    private static final int SEEN_BYTES = 24;

    private final Map<Integer, Acknowledged> writers = new HashMap<>();
    private final List<List<Seen>> tailers = new ArrayList<>();

    void writer(int number, Acknowledged acknowledged) {
        writers.put(number, acknowledged);
    }

    void tailer(List<Seen> messages) {
        tailers.add(messages);
    }

    /** Returns the whole records of a tailer's report; what a kill cut off is not reported. */
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
        return tailers.isEmpty() ? 0 : tailers.getFirst().size();
    }

    long acknowledged() {
        return writers.values().stream().mapToLong(Acknowledged::done).sum();
    }

    /** Returns everything that is wrong. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        for (int i = 0; i < tailers.size(); i++) {
            checkTailer("tailer " + i, tailers.get(i), faults);
            if (!tailers.get(i).equals(tailers.getFirst())) {
                faults.add("tailer " + i + " has seen another sequence than tailer 0: " + firstDifference(i));
            }
        }
        return faults;
    }

    private String firstDifference(int tailer) {
        List<Seen> one = tailers.getFirst();
        List<Seen> other = tailers.get(tailer);
        int at = 0;
        while (at < one.size() && at < other.size() && one.get(at).equals(other.get(at))) {
            at++;
        }
        return one.size() + " and " + other.size() + " messages, equal up to " + at;
    }

    private void checkTailer(String name, List<Seen> messages, List<String> faults) {
        Map<Integer, Long> next = new HashMap<>();
        long position = -1;
        for (Seen seen : messages) {
            if (seen.position() <= position) {
                faults.add(name + ": position " + seen.position() + " after " + position);
            }
            position = seen.position();
            if (seen.sum() == 0) {
                faults.add(name + ": torn message at " + position);
            }
            int writer = Message.writer(seen.word());
            long expected = next.getOrDefault(writer, 0L);
            if (Message.sequence(seen.word()) != expected) {
                faults.add(name + ": writer " + writer + " has " + Message.sequence(seen.word()) + " at " + position
                        + ", expected " + expected);
            }
            next.put(writer, Message.sequence(seen.word()) + 1);
        }
        writers.forEach((writer, acknowledged) ->
                checkEnd(name + ": writer " + writer, next.getOrDefault(writer, 0L), acknowledged, faults));
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
