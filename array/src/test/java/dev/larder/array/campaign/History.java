package dev.larder.array.campaign;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.stream.Collectors;

/** The calls of clients and their results, by one clock. {@code tests/porcupine/string.go} defines the form. */
final class History {

    private static final String UNKNOWN = "?";

    private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
    private final Map<String, AtomicLong> outcomes = new ConcurrentSkipListMap<>();
    private final Map<String, Integer> open = new ConcurrentHashMap<>();
    private final AtomicLong answered = new AtomicLong();
    private final Ids ids = new Ids();

    /** By how much the system's clock, which judges lifetimes, was ahead of this one: least and most, in nanoseconds. */
    private final LongAccumulator aheadLeast = new LongAccumulator(Math::min, Long.MAX_VALUE);

    private final LongAccumulator aheadMost = new LongAccumulator(Math::max, Long.MIN_VALUE);

    void answered(String key, List<Command> commands, String results, long called, long returned) {
        lines.add(line(key, commands, results, called, returned));
        long aheadNanos = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - System.nanoTime();
        aheadLeast.accumulate(aheadNanos);
        aheadMost.accumulate(aheadNanos);
        answered.incrementAndGet();
        count("answered");
    }

    /** Records writes without an answer: they may take effect at any later time, or never. */
    void open(String key, List<Command> commands, long called) {
        lines.add(line(key, commands, UNKNOWN, called, Long.MAX_VALUE));
        open.merge(key, 1, Integer::sum);
        count("open");
    }

    /** Returns how many writes to a key are without an answer. */
    int openCalls(String key) {
        return open.getOrDefault(key, 0);
    }

    private static String line(String key, List<Command> commands, String results, long called, long returned) {
        String words = commands.stream().map(Command::toString).collect(Collectors.joining(","));
        return key + " " + words + " " + results + " " + called + " " + returned;
    }

    /** Counts something that happened, for the report. */
    void count(String outcome) {
        outcomes.computeIfAbsent(outcome, key -> new AtomicLong()).incrementAndGet();
    }

    /** Returns by how many milliseconds the system's clock has moved against this one. The judge allows 20. */
    long clockMovedMillis() {
        return TimeUnit.NANOSECONDS.toMillis(aheadMost.get() - aheadLeast.get());
    }

    Ids ids() {
        return ids;
    }

    long answered() {
        return answered.get();
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    /** Returns how often each outcome happened. */
    Map<String, AtomicLong> outcomes() {
        return outcomes;
    }
}
