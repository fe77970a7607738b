package dev.larder.arraycli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.array.ArrayBackup;
import dev.larder.arraycli.state.ArrayDescription;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.OtherThread;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.XAddParams;

/** An array is backed up under load, and restored as a new one. */
@Tag(Effort.LONG)
final class ArrayBackupTest {

    private static final int BEFORE = 200;
    private static final String STREAM = "stream";

    @TempDir
    Path scratch;

    private final ArrayShell shell = new ArrayShell();

    private static void write(RedisClusterClient client, int number) {
        assertThat(RealArray.patiently(() -> client.set("key" + number, "value" + number)))
                .isEqualTo("OK");
        if (number % 10 == 0) {
            RealArray.patiently(() -> client.incr("count"));
        }
    }

    /** Adds an entry to the stream. An entry that a call without an answer has added stays. */
    private static void add(RedisClusterClient client, int id) {
        XAddParams place = XAddParams.xAddParams().id(new StreamEntryID(id, 0));
        long added = RealArray.patiently(() -> {
            try {
                return client.xadd(STREAM, Map.of("field", "value"), place).getTime();
            } catch (JedisDataException e) {
                if (String.valueOf(e.getMessage()).contains("is equal or smaller")) {
                    return (long) id;
                }
                throw e;
            }
        });
        assertThat(added).isEqualTo(id);
    }

    private String restore(RealArray to, Path backup, int node, int code) {
        assertThat(shell.array(
                        "restore",
                        to.file().toString(),
                        "--from",
                        backup.toString(),
                        "--node",
                        Integer.toString(node),
                        to.folder(node).toString()))
                .as(shell.err())
                .isEqualTo(code);
        return shell.err();
    }

    @Test
    void allThatWasAcknowledgedBeforeABackupIsRestored() throws Exception {
        Path backup = scratch.resolve("backup");
        AtomicInteger written = new AtomicInteger();
        try (RealArray array = new RealArray(Files.createDirectory(scratch.resolve("old")), new UUID(5, 5))) {
            array.create();
            array.startAll();
            array.awaitServing();
            try (RedisClusterClient client = array.client()) {
                for (int number = 0; number < BEFORE; number++) {
                    write(client, number);
                }
                for (int id = 1; id <= 20; id++) {
                    add(client, id);
                }
                written.set(BEFORE);
                AtomicBoolean ended = new AtomicBoolean();
                CompletableFuture<Void> writer = OtherThread.run(() -> {
                    while (!ended.get()) {
                        write(client, written.get());
                        written.incrementAndGet();
                    }
                });
                assertThat(shell.array("backup", array.file().toString(), backup.toString()))
                        .as(shell.err())
                        .isZero();
                ended.set(true);
                writer.get(1, TimeUnit.MINUTES);
            }
            if (backup.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(backup)))
                        .isEqualTo("rwx------");
            }
            assertThat(shell.out()).contains("a backup of 2 stripes of array " + new UUID(5, 5));
            assertThat(restore(array, backup, 0, 3)).contains("the array begins empty", "init --from");
        }
        try (RealArray array = new RealArray(Files.createDirectory(scratch.resolve("new")), new UUID(6, 6))) {
            UUID identity = ArrayBackup.read(backup).identity();
            describeAsRestored(array, new UUID(8, 8));
            assertThat(restore(array, backup, 0, 3)).contains("begins with backup", identity.toString());
            describeAsRestored(array, identity);
            assertThat(shell.array(
                            "create",
                            array.file().toString(),
                            "--node",
                            "0",
                            array.folder(0).toString()))
                    .isEqualTo(3);
            assertThat(shell.err()).contains("by restore, not by create");
            for (int node = 0; node < RealArray.NODES; node++) {
                restore(array, backup, node, 0);
            }
            array.startAll();
            array.awaitServing();
            try (RedisClusterClient client = array.client()) {
                requireAll(client, written.get());
                write(client, written.get() + 1);
                array.stop(2);
                write(client, written.get() + 2);
                array.start(2);
                array.awaitEqual();
            }
        }
        requireDamageIsFound(backup);
    }

    private static void describeAsRestored(RealArray array, UUID backup) {
        ArrayDescription.read(array.file()).withRestored(backup).replace(array.file());
    }

    private static void requireAll(RedisClusterClient client, int written) {
        for (int number = 0; number < BEFORE; number++) {
            String key = "key" + number;
            assertThat(RealArray.patiently(() -> String.valueOf(client.get(key))))
                    .isEqualTo("value" + number);
        }
        assertThat(RealArray.patiently(() -> client.xrange(STREAM, "-", "+"))).hasSize(20);
        assertThat(Long.parseLong(RealArray.patiently(() -> client.get("count"))))
                .isBetween((long) BEFORE / 10, written / 10 + 1L);
    }

    private void requireDamageIsFound(Path backup) throws Exception {
        Path segment;
        try (Stream<Path> files = Files.walk(backup.resolve("stripe-1"))) {
            segment = files.filter(file -> file.toString().endsWith(".seg"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(segment);
        bytes[bytes.length / 2] ^= 1;
        Files.write(segment, bytes);
        RealArray array = new RealArray(Files.createDirectory(scratch.resolve("third")), new UUID(7, 7));
        describeAsRestored(array, ArrayBackup.read(backup).identity());
        Path described = scratch.resolve("described.properties");
        assertThat(shell.array(
                        "init",
                        described.toString(),
                        "--nodes",
                        "127.0.0.1:7000,127.0.0.1:7001",
                        "--from",
                        backup.toString()))
                .as(shell.err())
                .isZero();
        assertThat(ArrayDescription.read(described))
                .extracting(ArrayDescription::stripes, ArrayDescription::restored)
                .containsExactly(2, Optional.of(ArrayBackup.read(backup).identity()));
        assertThat(restore(array, backup, 0, 1)).contains(segment.getFileName().toString(), "is damaged");
        Files.delete(backup.resolve("array-backup.properties"));
        assertThat(restore(array, backup, 1, 3)).contains("not a complete backup");
        assertThat(ArrayDescription.read(array.file()).nodes().keySet()).isEqualTo(Set.of(0, 1, 2));
    }
}
