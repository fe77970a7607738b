package dev.larder.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class JournalWindowTest {

    private static final int MESSAGES = 5000;

    private static List<Long> positions(JournalWindow window, long number) {
        List<Long> positions = new ArrayList<>();
        window.forEach(number, positions::add);
        return positions;
    }

    @Test
    void positionsComeByStreamInTheOrderInWhichTheyWereNoted() {
        JournalWindow window = new JournalWindow(MESSAGES);
        for (int round = 0; round < 2; round++) {
            int first = round * MESSAGES;
            for (long position = first; position < first + MESSAGES; position++) {
                assertThat(window.isFull()).isFalse();
                window.note(position % 3, position);
            }
            assertThat(window.isFull()).isTrue();
            assertThat(window.numbers()).containsExactlyInAnyOrder(0L, 1L, 2L);
            for (long number : window.numbers()) {
                assertThat(positions(window, number))
                        .isEqualTo(LongStream.range(first, first + MESSAGES)
                                .filter(position -> position % 3 == number)
                                .boxed()
                                .toList());
            }
            window.clear();
            assertThat(window.isFull()).isFalse();
            assertThat(window.numbers()).isEmpty();
            assertThat(positions(window, 1)).isEmpty();
        }
    }
}
