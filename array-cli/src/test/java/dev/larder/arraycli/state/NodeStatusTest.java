package dev.larder.arraycli.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What follows from the answers of nodes. */
final class NodeStatusTest {

    private static final UUID ARRAY = new UUID(4, 4);

    @Test
    void aStripeThatNoNodeLeadsIsNotServed() {
        NodeStatus first = new NodeStatus(0, "a:1", new TreeSet<>(List.of(0, 2)), 7, Map.of(), "");
        NodeStatus second = NodeStatus.silent(1, "a:2", "Connection refused");
        ArrayStatus status = new ArrayStatus(ARRAY, 4, List.of(first, second), Optional.empty());
        assertThat(status.isServing()).isFalse();
        assertThat(status.unled()).containsExactly(1, 3);
        assertThat(new ArrayStatus(ARRAY, 1, List.of(first, second), Optional.empty()).isServing())
                .isTrue();
    }

    @Test
    void asksForAKeyOfEachStripe() {
        for (int stripes : new int[] {1, 3, 1024}) {
            assertThat(StatusQuestion.keys(stripes)).hasSize(stripes);
        }
    }

    @Test
    void readsTheLinesOfAReply() {
        assertThat(StatusQuestion.lines("# Server\r\nuptime_in_seconds:12\r\nos:Linux:x\r\n\r\n"))
                .isEqualTo(Map.of("uptime_in_seconds", "12", "os", "Linux:x"));
    }
}
