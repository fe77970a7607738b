package dev.larder.lab.load;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Attempt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Records this JVM's pauses by the flight recorder, and reads them only after the load, so that the cost during the load
 * is next to nothing.
 *
 * <ul>
 *   <li>{@code pause}: all threads stood still for an operation of the JVM, mostly a collector's;
 *   <li>{@code safepoint}: the time until every thread had stopped for it;
 *   <li>{@code stall}: one thread waited for the collector to find it memory (ZGC).
 * </ul>
 */
public final class PauseRecorder implements AutoCloseable {

    private static final String OPERATION = "jdk.ExecuteVMOperation";
    private static final String SAFEPOINT = "jdk.SafepointStateSynchronization";
    private static final String STALL = "jdk.ZAllocationStall";
    private static final int KEPT_MAX = 20_000;
    private static final double MILLI = 1e6;

    private final Recording recording = new Recording();
    private final Instant anchor = Instant.now();
    private final long anchorNanos = System.nanoTime();

    /** Starts recording. */
    public PauseRecorder() {
        for (String event : List.of(OPERATION, SAFEPOINT, STALL)) {
            recording.enable(event).withoutThreshold().withoutStackTrace();
        }
        recording.start();
    }

    /** Ends the recording; returns a row per pause: {@code kind}, {@code what}, {@code start_nanos}, {@code ms}. */
    public List<Figures> stop() {
        return Attempt.giving("read the flight recording", () -> {
            Path file = Files.createTempFile("larder-lab-", ".jfr");
            try {
                recording.stop();
                recording.dump(file);
                return rows(file);
            } finally {
                Files.delete(file);
            }
        });
    }

    private List<Figures> rows(Path file) throws IOException {
        List<Figures> rows = new ArrayList<>();
        try (RecordingFile events = new RecordingFile(file)) {
            while (events.hasMoreEvents() && rows.size() < KEPT_MAX) {
                add(events.readEvent(), rows);
            }
        }
        return rows;
    }

    private void add(RecordedEvent event, List<Figures> rows) {
        switch (event.getEventType().getName()) {
            case OPERATION -> {
                if (event.getBoolean("safepoint")) {
                    rows.add(row("pause", event.getString("operation"), event));
                }
            }
            case SAFEPOINT -> rows.add(row("safepoint", "all threads stop", event));
            case STALL -> rows.add(row("stall", "a thread waits for memory", event));
            default -> {}
        }
    }

    private Figures row(String kind, String what, RecordedEvent event) {
        long start =
                anchorNanos + Duration.between(anchor, event.getStartTime()).toNanos();
        return new Figures()
                .put("kind", kind)
                .put("what", what)
                .put("start_nanos", start)
                .put("ms", event.getDuration().toNanos() / MILLI);
    }

    /** Returns the longest of a kind, in milliseconds; 0 if there was none. */
    public static double longestMillis(List<Figures> pauses, String kind) {
        return pauses.stream()
                .filter(pause -> kind.equals(pause.get("kind")))
                .mapToDouble(pause -> pause.number("ms"))
                .max()
                .orElse(0);
    }

    @Override
    public void close() {
        recording.close();
    }
}
