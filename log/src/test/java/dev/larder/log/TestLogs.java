package dev.larder.log;

import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.doubles.StrictStorage;
import dev.larder.tests.support.Samples;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Logs on the storage that this pass of the tests runs on, which the property {@code larder.test.storage} names. */
public final class TestLogs {

    /** The size of the smallest segment, and so of the smallest log. */
    public static final long MIB_2 = 2L << 20;

    private static final Storage STORAGE = choose();

    private TestLogs() {}

    private static Storage choose() {
        return switch (System.getProperty("larder.test.storage", "system")) {
            case "portable-strict" -> new StrictStorage();
            case "system" -> SystemStorage.system();
            default -> throw new IllegalStateException("larder.test.storage is neither system nor portable-strict");
        };
    }

    public static Storage storage() {
        return STORAGE;
    }

    /** Returns options with small segments, and no background work but what a test asks for. */
    public static LogOptions options() {
        return HookedOptions.withStorage(LogOptions.defaults(), STORAGE)
                .withLargestSegmentBytes(MIB_2)
                .withPrepareBytes(0)
                .withSync(SyncPolicy.none());
    }

    public static Log open(Path directory) {
        return Log.open(directory, options());
    }

    public static Log open(Path directory, IntegrityMode integrity) {
        return Log.open(directory, options().withIntegrity(integrity));
    }

    /** Returns bytes that the length and a seed determine. */
    public static byte[] bytes(int length, long seed) {
        return Samples.bytes(seed * 31 + length, length);
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static String text(MemorySegment segment, long offset, int length) {
        return new String(copy(segment, offset, length), StandardCharsets.UTF_8);
    }

    public static byte[] copy(MemorySegment segment, long offset, int length) {
        return segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Reads to the end and returns the payloads as texts. */
    public static List<String> texts(LogReader reader) {
        return drain(reader, bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    /** Returns all payloads of a log as texts. */
    public static List<String> texts(Log log) {
        try (LogReader reader = log.reader()) {
            return texts(reader);
        }
    }

    /** Reads to the end and returns the payloads. */
    public static List<byte[]> payloads(LogReader reader) {
        return drain(reader, Function.identity());
    }

    public static List<byte[]> payloads(Log log) {
        try (LogReader reader = log.reader()) {
            return payloads(reader);
        }
    }

    private static <T> List<T> drain(LogReader reader, Function<byte[], T> decoder) {
        List<T> all = new ArrayList<>();
        int delivered = 1;
        while (delivered > 0) {
            delivered = reader.drain(
                    (segment, offset, length) -> all.add(decoder.apply(copy(segment, offset, length))), 100);
        }
        return all;
    }

    /** Appends records of a size until the log has entered a segment; returns how many. */
    public static int fillUpTo(LogAppender appender, int segment, int length) {
        int appended = 0;
        byte[] payload = bytes(length, 1);
        while (Position.segment(appender.append(payload)) < segment) {
            appended++;
        }
        return appended + 1;
    }

    /** Returns the size of a segment file. */
    static long segmentBytes(Log log, int segment) {
        try {
            return java.nio.file.Files.size(log.directory().resolve(SegmentLayout.fileName(segment)));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
