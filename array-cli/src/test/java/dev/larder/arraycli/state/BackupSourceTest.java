package dev.larder.arraycli.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.array.form.RecordJson;
import dev.larder.array.form.TopologyJson;
import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.slots.StripeMembers;
import dev.larder.memory.LarderException;
import dev.larder.tests.support.FreePorts;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How a backup finds the leader of a stripe, and how long it waits for one. */
final class BackupSourceTest {

    private final AtomicLong nanos = new AtomicLong();

    /** Regression: the time that the former stripe took counted as well, so no larger array could be backed up. */
    @Test
    void aStripeIsWaitedForFromTheFirstLookOn() {
        ArrayDescription nodeless =
                ArrayDescription.of(new UUID(1, 2), List.of(ArrayDescription.addresses(FreePorts.takeNode())));
        try (BackupSource sources = new BackupSource(nodeless, NodeAccess.OPEN, nanos::get)) {
            nanos.addAndGet(Duration.ofMinutes(5).toNanos());
            assertThat(sources.leaders(0)).isEmpty();
            nanos.addAndGet(Duration.ofSeconds(59).toNanos());
            assertThat(sources.leaders(0)).isEmpty();
            nanos.addAndGet(Duration.ofSeconds(2).toNanos());
            assertThatThrownBy(() -> sources.leaders(0))
                    .isInstanceOf(LarderException.class)
                    .hasMessageContaining("stripe 0 has had no leader for a minute");
        }
    }

    /** Regression: the addresses were read once, so a leader that was added to the array later ended the backup. */
    @Test
    void asksANodeThatWasAddedMeanwhile() throws InterruptedException {
        UUID array = new UUID(1, 2);
        InetSocketAddress first = FreePorts.takeNode();
        InetSocketAddress second = FreePorts.takeNode();
        ArrayDescription description = ArrayDescription.of(array, List.of(ArrayDescription.addresses(first)));
        ArrayRecord founding =
                ArrayRecord.founding(description.nodes(), 1, 0, StripeMembers.inTurn(array, List.of(0), 1, 1, 0));
        AtomicReference<ArrayRecord> record = new AtomicReference<>(founding);
        try (ScriptedNode _ = new ScriptedNode(first, words -> topology(array, record.get()));
                ScriptedNode _ = new ScriptedNode(second, words -> ScriptedNode.array("an answer"));
                BackupSource sources = new BackupSource(description, NodeAccess.OPEN)) {
            assertThat(sources.ask(1, ByteBuffer.allocate(1))).isEmpty(); // it may come
            record.set(founding.adding("rack", 1, ArrayDescription.addresses(second)));
            assertThat(sources.ask(1, ByteBuffer.allocate(1)))
                    .hasValue(ByteBuffer.wrap("an answer".getBytes(StandardCharsets.US_ASCII)));
        }
    }

    private static String topology(UUID array, ArrayRecord record) {
        return ScriptedNode.array(RecordJson.write(record), TopologyJson.write(record.topology(array, List.of())));
    }
}
