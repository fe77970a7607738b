package dev.larder.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.log.SyncPolicy;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage near a named tailer hides the lag of that tailer, and no other meter. */
final class DamagedQueueMetricsTest {

    private static final LogOptions OPTIONS = LogOptions.defaults()
            .withLargestSegmentBytes(2L << 20)
            .withPrepareBytes(0)
            .withIntegrity(IntegrityMode.RECORD)
            .withSync(SyncPolicy.none());

    @TempDir
    Path directory;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private double gauge(String name) {
        return registry.get("larder.queue." + name).gauge().value();
    }

    private void damageTheFirstMessage(LarderQueue queue) throws IOException {
        try (FileChannel segment = FileChannel.open(directory.resolve("0000000000.seg"), StandardOpenOption.WRITE)) {
            segment.write(ByteBuffer.wrap(new byte[] {'x'}), Position.offset(queue.firstPosition()) + 8);
        }
    }

    private static void fill(LarderQueue queue) {
        queue.tailer("first").close();
        queue.append("to be damaged");
        queue.append("two");
        queue.sync();
    }

    @Test
    void hidesTheLagOfThatTailerAlone() throws IOException {
        try (LarderQueue queue = LarderQueue.open(directory, OPTIONS)) {
            fill(queue);
            try (Tailer last = queue.tailer("last")) {
                last.toEnd().commit();
            }
            queue.append("three");
            queue.sync();
            damageTheFirstMessage(queue);
        }
        try (LarderQueue queue = LarderQueue.open(directory, OPTIONS);
                QueueMetrics metrics = new QueueMetrics(queue)) {
            metrics.bindTo(registry);
            assertThat(gauge("tailers")).isEqualTo(2);
            assertThat(gauge("segments")).isEqualTo(1);
            assertThat(gauge("lag.messages")).isEqualTo(1);
            assertThat(gauge("lag.bytes")).isEqualTo((double) queue.endPosition() - queue.firstPosition());
        }
    }

    @Test
    void hasNoLagInMessagesIfAllAreHidden() throws IOException {
        try (LarderQueue queue = LarderQueue.open(directory, OPTIONS)) {
            fill(queue);
            damageTheFirstMessage(queue);
        }
        try (LarderQueue queue = LarderQueue.open(directory, OPTIONS);
                QueueMetrics metrics = new QueueMetrics(queue)) {
            metrics.bindTo(registry);
            assertThat(gauge("tailers")).isEqualTo(1);
            assertThat(gauge("lag.messages")).isNaN();
            assertThat(gauge("lag.bytes")).isPositive();
        }
    }
}
