package dev.larder.array.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.array.MemberName;
import dev.larder.array.ratis.LogEnd;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which member stands first once a leader is gone. */
final class SuccessionTest {

    private static MemberName node(int number) {
        return new MemberName(number, 0);
    }

    @Test
    void theLongestLogIsTheFirst() {
        Map<MemberName, LogEnd> ends =
                Map.of(node(3), new LogEnd(4, 10), node(5), new LogEnd(4, 12), node(7), new LogEnd(3, 90));
        for (int stripe = 0; stripe < 6; stripe++) {
            assertThat(Succession.turn(stripe, node(5), ends, Set.of())).isZero();
            assertThat(Succession.turn(stripe, node(3), ends, Set.of())).isEqualTo(1);
            assertThat(Succession.turn(stripe, node(7), ends, Set.of())).isEqualTo(2);
        }
    }

    @Test
    void equalsHaveTurnsOfTheirOwnWhichDifferBetweenStripes() {
        LogEnd end = new LogEnd(4, 10);
        Map<MemberName, LogEnd> ends = Map.of(node(3), end, node(5), end, node(7), end);
        for (int stripe = 0; stripe < 6; stripe++) {
            int number = stripe;
            assertThat(IntStream.of(3, 5, 7).map(node -> Succession.turn(number, node(node), ends, Set.of())))
                    .containsExactlyInAnyOrder(0, 1, 2);
        }
        assertThat(IntStream.range(0, 3).map(stripe -> Succession.turn(stripe, node(3), ends, Set.of())))
                .containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void aMemberThatCannotStandHasNoTurn() {
        assertThat(Succession.turn(0, node(1), Map.of(node(3), LogEnd.NONE), Set.of()))
                .isNegative();
    }
}
