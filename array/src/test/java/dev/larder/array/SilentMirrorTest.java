package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.tests.support.Effort;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How old the answers of a mirror may be. */
@Tag(Effort.LONG)
final class SilentMirrorTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Longer than two elections: after each, a member that finds no majority follows again. */
    private static final long LOOKING_NANOS = TimeUnit.SECONDS.toNanos(10);

    @TempDir
    private Path directory;

    private TestArray array;

    @BeforeEach
    void start() {
        array = new TestArray(directory);
        array.awaitLeaders();
    }

    @AfterEach
    void stop() {
        array.close();
    }

    /** The mirror does not take its own elections for news of a leader. */
    @Test
    void aMirrorThatHearsNothingRefusesReadsOnceTheyMayBeTooOld() throws InterruptedException {
        int mirror = (array.leader("a") + 1) % TestArray.NODES;
        try (RespClient leader = array.client(array.leader("a"))) {
            assertThat(leader.call("SET a 1")).isEqualTo("OK");
        }
        try (RespClient client = array.client(mirror)) {
            assertThat(client.call("READONLY")).isEqualTo("OK");
            await().atMost(PATIENCE).until(() -> client.call("GET a").equals("1"));
            CompletableFuture.allOf(IntStream.range(0, TestArray.NODES)
                            .filter(node -> node != mirror)
                            .mapToObj(node -> OtherThread.run(() -> array.stop(node)))
                            .toArray(CompletableFuture<?>[]::new))
                    .join();
            await().atMost(PATIENCE).until(() -> isRefused(client.call("GET a")));
            long end = System.nanoTime() + LOOKING_NANOS;
            while (System.nanoTime() < end) {
                assertThat(client.call("GET a")).matches(SilentMirrorTest::isRefused);
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }

    /** Regression: it served what it had applied of the entry at which it failed, until that was too old. */
    @Test
    void aMirrorThatHasFailedRefusesReadsAtOnce() throws ReflectiveOperationException {
        int mirror = (array.leader("a") + 1) % TestArray.NODES;
        try (RespClient leader = array.client(array.leader("a"));
                RespClient client = array.client(mirror)) {
            assertThat(leader.call("SET a 1")).isEqualTo("OK");
            assertThat(client.call("READONLY")).isEqualTo("OK");
            await().atMost(PATIENCE).until(() -> client.call("GET a").equals("1"));
            array.stripes(mirror).here().stream()
                    .filter(stripe -> stripe.number() == TestArray.stripe("a"))
                    .forEach(stripe -> stripe.state().failed(new IOException("injected")));
            assertThat(client.call("GET a")).matches(SilentMirrorTest::isRefused);
        }
    }

    private static boolean isRefused(String reply) {
        return reply.startsWith("MOVED") || reply.startsWith("CLUSTERDOWN");
    }
}
