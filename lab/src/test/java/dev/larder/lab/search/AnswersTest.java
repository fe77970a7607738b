package dev.larder.lab.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AnswersTest {

    private final Answers answers = new Answers();

    private String reason(String server, Number... numbers) {
        return String.valueOf(answers.invalidReason(server, new Figures().put("answers", List.of(numbers))));
    }

    @Test
    void theSameAnswersAreRightWhateverTheirSize() {
        assertThat(reason("mmap-g1", 1L, Long.MIN_VALUE, 3L)).isEqualTo("null");
        assertThat(reason("larder-g1", 1, Long.MIN_VALUE, 3)).isEqualTo("null");
    }

    @Test
    void anotherAnswerIsWrong() {
        reason("mmap-g1", 1, 2, 3, 4);
        assertThat(reason("larder-g1", 1, 2, 30, 40))
                .isEqualTo("larder-g1 answers 2 of 4 tasks differently from mmap-g1; the first is task 2");
    }

    @Test
    void fewerAnswersAreWrong() {
        reason("mmap-g1", 1, 2);
        assertThat(reason("larder-g1", 1)).isEqualTo("larder-g1 answers 1 tasks, mmap-g1 2");
        assertThat(reason("larder-g1")).isEqualTo("larder-g1 gives no answers");
    }
}
