package dev.larder.tests.power;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * The recoveries that openings report. Each opening that had something to recover counts it, and leaves an event with the place
 * of the cut. The cut lies behind all that is served, and not behind what is not.
 */
final class RecoveryRecord implements AutoCloseable {

    private static final Pattern CUT = Pattern.compile("a power loss: cut at (\\d+):(\\d+).*");

    private record Expected(long from, long to) {}

    private final Recording recording = new Recording();
    private final List<Expected> expected = new ArrayList<>();
    private final boolean asks;

    private RecoveryRecord(boolean asks) {
        this.asks = asks;
        if (asks) {
            recording.enable("dev.larder.Recovery").withoutThreshold();
            recording.start();
        }
    }

    static RecoveryRecord start() {
        return new RecoveryRecord(true);
    }

    /** Returns a record that expects nothing, for logs that report nothing. */
    static RecoveryRecord none() {
        return new RecoveryRecord(false);
    }

    /**
     * Records an opening that has recovered; openings must come in their order. A log whose first sync had not returned may be
     * gone, and a new one may have taken its place.
     *
     * @param exactly whether this opening makes the cut; after an interrupted recovery, an opening may find the cut already
     * made
     */
    void expect(long count, List<Appended> served, List<Appended> appended, long durable, boolean exactly) {
        if (!asks || (count == 0 && durable < 0 && served.isEmpty())) {
            return;
        }
        if (count < 1) {
            throw new AssertionError("a recovery was not counted");
        }
        long from = served.isEmpty()
                ? 0
                : served.getLast().position() + 8 + served.getLast().length();
        long to = served.size() < appended.size() ? appended.get(served.size()).position() : Long.MAX_VALUE;
        expected.add(new Expected(from, exactly ? to : Long.MAX_VALUE));
    }

    /** Compares the expected recoveries with the events. */
    void checkEvents() throws IOException {
        recording.stop();
        Path file = Files.createTempFile("recoveries", ".jfr");
        try {
            recording.dump(file);
            checkEvents(RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals("dev.larder.Recovery"))
                    .sorted(Comparator.comparing(RecordedEvent::getStartTime))
                    .map(event -> event.getString("found"))
                    .toList());
        } finally {
            Files.delete(file);
        }
    }

    private void checkEvents(List<String> found) {
        assertThat(found).hasSameSizeAs(expected);
        for (int i = 0; i < found.size(); i++) {
            Matcher cut = CUT.matcher(found.get(i));
            assertThat(cut.matches()).as(found.get(i)).isTrue();
            long position = Long.parseLong(cut.group(1)) << 32 | Long.parseLong(cut.group(2));
            assertThat(position).as(found.get(i)).isBetween(expected.get(i).from, expected.get(i).to);
        }
    }

    @Override
    public void close() {
        recording.close();
    }
}
