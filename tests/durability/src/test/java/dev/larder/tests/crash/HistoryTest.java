package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.crash.History.Acknowledged;
import dev.larder.tests.crash.History.Seen;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the judge of crashes: makes each fault that it must find. */
final class HistoryTest {

    private static List<Seen> messages(int count) {
        List<Seen> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            messages.add(new Seen(100 + i * 8, Message.word(1, i), 7));
        }
        return messages;
    }

    private static List<String> faults(List<Seen> one, List<Seen> other, long done, long intended) {
        History history = new History();
        history.writer(1, new Acknowledged(done, intended));
        history.tailer(one);
        history.tailer(other);
        return history.faults();
    }

    private static List<String> faults(List<Seen> messages, long done, long intended) {
        return faults(messages, messages, done, intended);
    }

    @Test
    void acceptsWhatIsWhole() {
        assertThat(faults(messages(10), 10, 10)).isEmpty();
    }

    @Test
    void acceptsAnAppendThatHadNotReturned() {
        assertThat(faults(messages(11), 10, 11)).isEmpty();
        assertThat(faults(messages(10), 10, 14)).isEmpty();
        assertThat(faults(messages(14), 10, 14)).isEmpty();
    }

    private static Seen gap(long position) {
        return new Seen(position, QueueTailer.GAP, 1);
    }

    /** Message 4 is at 132; one tailer has missed 4 to 6, the other all from 8 on. */
    @Test
    void acceptsWhatLiesInAGap() {
        List<Seen> middle = messages(10);
        middle.subList(4, 7).clear();
        middle.add(4, gap(132));
        assertThat(faults(middle, 10, 10)).isEmpty();
        List<Seen> end = messages(8);
        end.add(gap(164));
        assertThat(faults(middle, end, 10, 10)).isEmpty();
        assertThat(faults(messages(10), end, 10, 10)).isEmpty();
    }

    @Test
    void findsWhatIsMissingOutsideOfAGap() {
        List<Seen> messages = messages(10);
        messages.subList(4, 7).clear();
        messages.add(4, gap(132));
        messages.remove(6);
        assertThat(faults(messages, 10, 10)).anyMatch(fault -> fault.contains("has 9 at 172, expected 8"));
        List<Seen> late = messages(10);
        late.subList(4, 7).clear();
        late.add(4, gap(140)); // the tailer does not report that 4 was missed
        assertThat(faults(messages(10), late, 10, 10)).anyMatch(fault -> fault.contains("another sequence"));
    }

    @Test
    void findsALostMessage() {
        assertThat(faults(messages(9), 10, 10)).anyMatch(fault -> fault.contains("1 acknowledged messages lost"));
    }

    @Test
    void findsALostMessageInTheMiddle() {
        List<Seen> messages = messages(10);
        messages.remove(4);
        assertThat(faults(messages, 10, 10)).anyMatch(fault -> fault.contains("has 5 at 140, expected 4"));
    }

    @Test
    void findsAMessageThatIsThereTwice() {
        List<Seen> messages = messages(10);
        messages.add(new Seen(1000, Message.word(1, 9), 7));
        assertThat(faults(messages, 10, 10)).anyMatch(fault -> fault.contains("has 9 at 1000, expected 10"));
    }

    @Test
    void findsAnotherOrder() {
        List<Seen> messages = messages(10);
        Collections.swap(messages, 3, 4);
        assertThat(faults(messages, 10, 10)).anyMatch(fault -> fault.contains("position"));
    }

    @Test
    void findsATornMessage() {
        List<Seen> messages = messages(10);
        messages.set(3, new Seen(124, Message.word(1, 3), 0));
        assertThat(faults(messages, 10, 10)).anyMatch(fault -> fault.contains("torn message at 124"));
    }

    @Test
    void findsAPartOfABatch() {
        assertThat(faults(messages(12), 10, 14)).anyMatch(fault -> fault.contains("part of an append"));
    }

    @Test
    void findsThatTailersDiffer() {
        assertThat(faults(messages(11), messages(10), 10, 11)).anyMatch(fault -> fault.contains("another sequence"));
    }

    @Test
    void findsEveryByteThatIsWrong() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(Message.LENGTH_MAX, 8);
            for (int sequence = 0; sequence < 40; sequence++) {
                long word = Message.word(3, sequence);
                int length = Message.length(word);
                Message.fill(memory, 0, length, word);
                assertThat(Message.sumOrZero(memory, 0, length)).isNotZero();
                assertThat(Message.sumOrZero(memory, 0, length - 1)).isZero();
                for (int at = 0; at < length; at += 1 + length / 50) {
                    flip(memory, at);
                    assertThat(Message.sumOrZero(memory, 0, length)).isZero();
                    flip(memory, at);
                }
            }
        }
    }

    private static void flip(MemorySegment memory, int at) {
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) (memory.get(ValueLayout.JAVA_BYTE, at) ^ 0x10));
    }
}
