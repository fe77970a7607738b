package dev.larder.arraycli.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.array.NodeAddresses;
import dev.larder.array.form.LagReport;
import dev.larder.array.form.MemberLag;
import dev.larder.array.form.PullState;
import dev.larder.cli.Figures;
import dev.larder.memory.LarderException;
import dev.larder.tests.support.FreePorts;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The status that follows from the answers of nodes. */
final class NodeStatusTest {

    private static final UUID ARRAY = new UUID(4, 4);

    @Test
    void aStripeThatNoNodeLeadsIsNotServed() {
        NodeStatus first = new NodeStatus(0, "a:1", new TreeSet<>(List.of(0, 2)), 7, Map.of(), NodeStatus.NO_LAG, "");
        NodeStatus second = NodeStatus.silent(1, "a:2", "Connection refused");
        ArrayStatus status = new ArrayStatus(ARRAY, 4, List.of(first, second), Optional.empty());
        assertThat(status.isServing()).isFalse();
        assertThat(status.unled()).containsExactly(1, 3);
        assertThat(new ArrayStatus(ARRAY, 1, List.of(first, second), Optional.empty()).isServing())
                .isTrue();
    }

    /** Members that are up to date are not in the lines, but are in the figures. */
    @Test
    void tellsWhichMembersAreBehind() {
        LagReport lag = new LagReport(
                List.of(
                        new MemberLag(0, 1, true, 0, 0, 0),
                        new MemberLag(0, 2, true, 12, 3400, 560),
                        new MemberLag(2, 1, false, -1, 0, 0)),
                List.of(new PullState(2, 1, 0, 500, 2000), new PullState(3, 1, -1, 0, 0)));
        assertThat(LagReport.read(lag.write())).isEqualTo(lag);
        NodeStatus node =
                new NodeStatus(0, "a:1", new TreeSet<>(List.of(0, 2)), 7, Map.of(), LagReport.read(lag.write()), "");
        ArrayStatus status = new ArrayStatus(ARRAY, 4, List.of(node), Optional.empty());
        String lines = String.join("\n", status.lines());
        assertThat(lines)
                .containsPattern("0 +node 2 +runs +12 +3400 +560")
                .containsPattern("2 +node 1 +away +- +- +-")
                .doesNotContainPattern("0 +node 1 +runs")
                .contains("node 1 pulls stripe 2 from node 0: 500 of 2000 bytes")
                .contains("node 1 is to pull stripe 3, and waits for a source, for its turn, or for free space");
        Figures figures = status.figures();
        assertThat(figures.rows("members")).hasSize(3);
        assertThat(figures.rows("members").get(1).whole("lag_bytes")).isEqualTo(3400);
        assertThat(figures.rows("pulls").getFirst().whole("pulled_bytes")).isEqualTo(500);
        assertThatThrownBy(() -> LagReport.read(lag.write().replace("millis", "seconds")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("millis");
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

    /** Regression: DBSIZE refuses if a stripe has just got another leader. The whole node counted as down. */
    @ParameterizedTest
    @ValueSource(strings = {"MOVED 0 127.0.0.1:7001", "CLUSTERDOWN No majority"})
    void aNodeThatHasJustLostAStripeIsThere(String refusal) {
        String lost = StatusQuestion.keys(2).get(0);
        AtomicBoolean leads = new AtomicBoolean(true);
        InetSocketAddress address = FreePorts.takeNode();
        try (ScriptedNode _ = new ScriptedNode(address, words -> switch (words.getFirst()) {
            case "EXISTS" -> leads.get() || !words.get(1).equals(lost) ? ":0\r\n" : "-" + refusal + "\r\n";
            case "DBSIZE" -> leads.getAndSet(false) ? "-" + refusal + "\r\n" : ":5\r\n";
            case "INFO" -> ScriptedNode.bulk("uptime_in_seconds:12");
            default -> "-ERR unknown command\r\n";
        })) {
            NodeStatus node = new StatusQuestion(2, NodeAccess.OPEN).ask(0, ArrayDescription.addresses(address));
            assertThat(node.failure()).isEmpty();
            assertThat(node.leads()).containsExactly(1);
            assertThat(node.keys()).isEqualTo(5);
        }
    }

    /**
     * The record of an array may name an unknown host: a name server has forgotten it, or a node took it from an earlier program.
     */
    @Test
    void aHostThatIsNotKnownIsOneThatDoesNotAnswer() throws InterruptedException {
        InetSocketAddress unknown = InetSocketAddress.createUnresolved("no-such-host.invalid", 7003);
        NodeAddresses addresses = new NodeAddresses(
                unknown,
                InetSocketAddress.createUnresolved("no-such-host.invalid", 17003),
                InetSocketAddress.createUnresolved("no-such-host.invalid", 27003));
        assertThat(new StatusQuestion(1, NodeAccess.OPEN).ask(3, addresses)).satisfies(node -> {
            assertThat(node.isThere()).isFalse();
            assertThat(node.failure()).contains("no-such-host.invalid", "is not known");
        });
        ArrayDescription description = ArrayDescription.of(ARRAY, List.of(addresses));
        assertThat(ArrayView.askIfThere(description, NodeAccess.OPEN)).isEmpty();
        assertThatThrownBy(() -> new RollingRestart(description, NodeAccess.OPEN, 1).turns())
                .isInstanceOf(LarderException.class)
                .hasMessageContaining("no node answers");
        try (BackupSource source = new BackupSource(description, NodeAccess.OPEN)) {
            assertThat(source.ask(0, ByteBuffer.allocate(1))).isEmpty();
            source.tell(0, ByteBuffer.allocate(1));
        }
        assertThatThrownBy(() -> ArrayDescription.addresses(unknown))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no-such-host.invalid:7003");
    }
}
