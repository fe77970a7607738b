package dev.larder.arraycli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.tests.support.Effort;
import dev.larder.tests.support.OtherThread;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.RedisClusterClient;

/** All nodes are restarted in turn, while a client writes. */
@Tag(Effort.LONG)
final class RollingRestartTest {

    @TempDir
    Path scratch;

    private final ArrayShell shell = new ArrayShell();

    /** Restarts a node once its file is there, until all have been restarted. */
    private static void restartInTurn(RealArray array, Path wishes, List<Integer> restarted) {
        while (restarted.size() < RealArray.NODES) {
            for (int node = 0; node < RealArray.NODES; node++) {
                Path wish = wishes.resolve(Integer.toString(node));
                if (!restarted.contains(node) && Files.exists(wish)) {
                    array.stop(node);
                    array.start(node);
                    restarted.add(node);
                }
            }
            await().pollDelay(Duration.ofMillis(100)).until(() -> true);
        }
    }

    @Test
    void aClientThatTriesAgainSeesNoErrorWhileAllNodesAreRestarted() throws Exception {
        Path wishes = Files.createDirectory(scratch.resolve("wishes"));
        try (RealArray array = new RealArray(Files.createDirectory(scratch.resolve("array")), new UUID(8, 8))) {
            array.create();
            array.startAll();
            array.awaitServing();
            String file = array.file().toString();
            assertThat(shell.array("upgrade", file, "--dry-run"))
                    .as(shell.err())
                    .isZero();
            assertThat(shell.out()).contains("node 0", "node 1", "node 2", "no node is restarted");

            AtomicBoolean ended = new AtomicBoolean();
            AtomicInteger written = new AtomicInteger();
            List<Integer> restarted = new CopyOnWriteArrayList<>();
            try (RedisClusterClient client = array.client()) {
                CompletableFuture<Void> writer = OtherThread.run(() -> {
                    while (!ended.get()) {
                        int number = written.get();
                        assertThat(RealArray.patiently(() -> client.set("key" + number, "value" + number)))
                                .isEqualTo("OK");
                        written.incrementAndGet();
                    }
                });
                CompletableFuture<Void> operator = OtherThread.run(() -> restartInTurn(array, wishes, restarted));
                assertThat(shell.array(
                                "upgrade", file, "--restart", "touch " + wishes + "/{node}", "--patience", "120"))
                        .as(shell.err())
                        .isZero();
                operator.get(1, TimeUnit.MINUTES);
                int before = written.get();
                await().atMost(Duration.ofMinutes(1)).until(() -> writer.isDone() || written.get() > before + 10);
                ended.set(true);
                writer.get(1, TimeUnit.MINUTES);
                assertThat(restarted).containsExactlyInAnyOrder(0, 1, 2);
                assertThat(turns(shell.out())).isEqualTo(restarted);
                for (int number = 0; number < written.get(); number += 7) {
                    String key = "key" + number;
                    String value = "value" + number;
                    assertThat(RealArray.patiently(() -> String.valueOf(client.get(key))))
                            .isEqualTo(value);
                }
            }
            assertThat(shell.array("upgrade", file, "--restart", "exit 3")).isEqualTo(3);
            assertThat(shell.err()).contains("ended with exit code 3: exit 3");
        }
    }

    private static List<Integer> turns(String out) {
        List<Integer> nodes = new ArrayList<>();
        out.lines().filter(line -> line.contains("has restarted")).forEach(line -> nodes.add(line.charAt(5) - '0'));
        return nodes;
    }
}
