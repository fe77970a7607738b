package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.crash.History.Seen;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the judge of named tailers: makes each fault that it must find. */
final class SuccessionTest {

    private static final long SUM = 7;

    @TempDir
    Path directory;

    private final List<Readings> processes = new ArrayList<>();
    private int started;

    private static long position(int message) {
        return 8192 + message * 8L;
    }

    /** Adds a process that takes the name over, and reads messages with these numbers. */
    private Readings process(int from, int to) {
        Readings readings = new Readings(directory.resolve(started++ + ".seen"));
        readings.takenOver();
        for (int message = from; message < to; message++) {
            readings.begin(position(message), Message.word(1, message));
            readings.looked(SUM);
        }
        processes.add(readings);
        return readings;
    }

    private Succession succession(String name) {
        return new Succession(name, processes.reversed()); // the succession sorts them
    }

    private static List<Seen> messages(int count) {
        List<Seen> messages = new ArrayList<>();
        for (int message = 0; message < count; message++) {
            messages.add(new Seen(position(message), Message.word(1, message), SUM));
        }
        return messages;
    }

    private void assertAccepted(String name, int count, int again) {
        Succession succession = succession(name);
        assertThat(succession.faults()).isEmpty();
        assertThat(succession.messages()).isEqualTo(messages(count));
        assertThat(succession.again()).isEqualTo(again);
    }

    private void assertFound(String name) {
        assertThat(succession(name).faults()).singleElement().asString().contains("its next process began at");
    }

    @Test
    void acceptsWhoGoesOnBehindTheLastMessageOrWithIt() {
        process(0, 4);
        process(4, 8);
        process(7, 10);
        assertAccepted(NamedTailer.HANDLED, 10, 1);
    }

    @Test
    void acceptsWhoHasNotComeToReadAnything() {
        process(0, 4);
        process(0, 0);
        process(4, 6);
        assertAccepted(NamedTailer.HANDLED, 6, 0);
    }

    @Test
    void findsAPlaceThatHasGoneBack() {
        process(0, 5);
        process(3, 8);
        assertFound(NamedTailer.HANDLED);
    }

    /** The message whose handler was cut short was passed over: no process has looked at it. */
    @Test
    void findsAPlaceBehindWhatWasNotHandled() {
        Readings first = process(0, 3);
        first.begin(position(3), Message.word(1, 3));
        process(4, 8);
        assertFound(NamedTailer.HANDLED);
    }

    @Test
    void acceptsThatItComesAgain() {
        Readings first = process(0, 3);
        first.begin(position(3), Message.word(1, 3));
        process(3, 8);
        assertAccepted(NamedTailer.HANDLED, 8, 1);
        processes.remove(1);
        assertAccepted(NamedTailer.HANDLED, 3, 0);
    }

    /** The messages between are missing then, which {@link History} finds. */
    @Test
    void leavesWhatWasPassedOverOut() {
        process(0, 3);
        process(5, 8);
        Succession succession = succession(NamedTailer.HANDLED);
        assertThat(succession.messages()).hasSize(6);
        History history = new History();
        history.writer(1, new History.Acknowledged(8, 8));
        history.succession(succession);
        assertThat(history.faults()).anyMatch(fault -> fault.contains("has 5 at " + position(5) + ", expected 3"));
    }

    @Test
    void acceptsWhoGoesOnBehindEitherOfTwoCommits() {
        Readings first = process(0, 4);
        first.committing();
        first.committed();
        first.begin(position(4), Message.word(1, 4));
        first.looked(SUM);
        first.committing(); // the process is killed here
        process(4, 6);
        assertAccepted("committed", 6, 1);
        processes.removeLast();
        process(5, 6);
        assertAccepted("committed", 6, 0);
    }

    @Test
    void findsACommitThatWasForgotten() {
        Readings first = process(0, 4);
        first.committing();
        first.committed();
        process(2, 6);
        assertFound("committed");
    }

    @Test
    void findsAPlaceBehindWhatWasNotCommitted() {
        Readings first = process(0, 4);
        first.committing();
        first.committed();
        first.begin(position(4), Message.word(1, 4));
        first.looked(SUM);
        process(5, 6);
        assertFound("committed");
    }

    /** If nothing was committed, the next process begins at the oldest message, wherever that is by now. */
    @Test
    void acceptsAnyBeginningWhileThePlaceHasNotMoved() {
        process(0, 4);
        Readings second = new Readings(directory.resolve("second.seen"));
        second.takenOver();
        second.begin((3L << 32) | 8192, Message.word(1, 9));
        second.looked(SUM);
        processes.add(second);
        Succession succession = succession("committed");
        assertThat(succession.faults()).isEmpty();
        assertThat(succession.messages())
                .containsExactly(new Seen(0, QueueTailer.GAP, 1), new Seen((3L << 32) | 8192, Message.word(1, 9), SUM));
    }

    @Test
    void acceptsAPlaceThatWasDropped() {
        process(0, 4);
        Readings second = new Readings(directory.resolve("second.seen"));
        second.takenOver();
        second.gap(position(4)); // the place stood here
        processes.add(second);
        assertThat(succession(NamedTailer.HANDLED).faults()).isEmpty();
        second.gap(position(4));
        Readings third = process(5, 5);
        third.gap(position(2));
        assertFound(NamedTailer.HANDLED);
    }
}
