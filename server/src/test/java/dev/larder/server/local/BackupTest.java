package dev.larder.server.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.memory.CorruptException;
import dev.larder.memory.StorageException;
import dev.larder.server.Backup;
import dev.larder.server.ServerFixture;
import dev.larder.server.TestClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The content of a backup of a running server, and the result of its restore. */
@Timeout(120)
final class BackupTest {

    @TempDir
    private Path directory;

    private ServerFixture fixture;
    private TestClient client;
    private Path backup;
    private Path restored;

    @BeforeEach
    void start() {
        fixture = new ServerFixture(directory.resolve("data"));
        client = fixture.client();
        backup = directory.resolve("backup");
        restored = directory.resolve("restored");
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private void write() {
        fixture.server().backup(backup);
    }

    private static long number(String reply) {
        return reply.equals("nil") ? 0 : Long.parseLong(reply);
    }

    /** Runs transactions. Each changes two strings, a stream and the pending entries of a group, all by one. */
    private void change(AtomicBoolean goesOn) {
        try (TestClient changing = new TestClient(fixture.server().port())) {
            for (int i = 0; goesOn.get(); i++) {
                List.of("MULTI", "INCR a", "XADD s * number " + i, "XREADGROUP GROUP g c COUNT 1 STREAMS s >", "INCR b")
                        .forEach(changing::line);
                changing.line("EXEC");
                changing.line("SET filler" + i % 500 + " " + "x".repeat(200));
            }
        }
    }

    @Test
    void aBackupUnderLoadHoldsOneMoment() throws Exception {
        client.line("XGROUP CREATE s g $ MKSTREAM");
        AtomicBoolean goesOn = new AtomicBoolean(true);
        List<Thread> threads = Stream.generate(() -> Thread.ofPlatform().start(() -> change(goesOn)))
                .limit(2)
                .toList();
        await().until(() -> number(client.line("GET b")) > 20);
        long before = number(client.line("GET b"));
        write();
        long after = number(client.line("GET a"));
        goesOn.set(false);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(Backup.restore(backup, restored)).isPositive();
        try (ServerFixture other = new ServerFixture(restored)) {
            TestClient reader = other.client();
            long count = number(reader.line("GET a"));
            assertThat(count).isBetween(before, after);
            assertThat(reader.line("GET b")).isEqualTo("" + count);
            assertThat(reader.line("XLEN s")).isEqualTo("" + count);
            assertThat(reader.line("XINFO STREAM s")).contains("entries-added, " + count);
            assertThat(reader.line("XPENDING s g")).startsWith("[" + count + ", ");
            reader.line("XADD s * number more");
            assertThat(reader.line("XREADGROUP GROUP g c STREAMS s >")).contains("[number, more]");
        }
    }

    @Test
    void allKindsOfKeysComeBackAndTheServerGoesOn() {
        for (String line : List.of(
                "SET plain value",
                "SET fades value PX 200",
                "SET lasts value EXAT 2000000000",
                "XADD trimmed 1 f 1",
                "XADD trimmed 2 f 2",
                "XADD trimmed 3 f 3",
                "XADD trimmed 4 f 4",
                "XADD trimmed 5 f 5",
                "XTRIM trimmed MAXLEN 4",
                "XDEL trimmed 4",
                "XADD gone 1 f v",
                "DEL gone",
                "XADD empty 1 f v",
                "XDEL empty 1",
                "XADD fading 1 f v",
                "EXPIREAT fading 2000000000",
                "XADD old 1 f v",
                "RENAME old new",
                "XADD produced IDMP p one * f v",
                "SELECT 3",
                "SET elsewhere three")) {
            assertThat(client.line(line)).doesNotStartWith("ERR");
        }
        write();
        client.line("SELECT 0");
        client.line("SET plain other");
        assertThat(client.line("XADD trimmed 6 f 6")).isEqualTo("6-0");
        Backup.restore(backup, restored);
        try (ServerFixture other = new ServerFixture(restored)) {
            TestClient reader = other.client();
            assertThat(reader.line("GET plain")).isEqualTo("value");
            assertThat(reader.line("EXPIRETIME lasts")).isEqualTo("2000000000");
            await().until(() -> reader.line("GET fades").equals("nil"));
            assertThat(reader.line("XRANGE trimmed - +")).isEqualTo("[[2-0, [f, 2]], [3-0, [f, 3]], [5-0, [f, 5]]]");
            assertThat(reader.line("XINFO STREAM trimmed"))
                    .contains("entries-added, 5", "max-deleted-entry-id, 4-0", "last-generated-id, 5-0");
            assertThat(reader.line("XADD trimmed 5 f v")).startsWith("ERR The ID specified in XADD is equal");
            assertThat(reader.line("TYPE gone")).isEqualTo("none");
            assertThat(reader.line("XLEN empty")).isEqualTo("0");
            assertThat(reader.line("TYPE empty")).isEqualTo("stream");
            assertThat(reader.line("EXPIRETIME fading")).isEqualTo("2000000000");
            assertThat(reader.line("XRANGE new - +")).isEqualTo("[[1-0, [f, v]]]");
            String first = reader.line("XRANGE produced - +");
            reader.line("XADD produced IDMP p one * f v");
            assertThat(reader.line("XRANGE produced - +")).isEqualTo(first);
            reader.line("SELECT 3");
            assertThat(reader.line("GET elsewhere")).isEqualTo("three");
            assertThat(reader.line("XADD more 1 f v")).isEqualTo("1-0");
            reader.line("SELECT 0");
            assertThat(reader.line("XADD more 1 f v")).isEqualTo("1-0");
        }
    }

    /** A stream that was not used since a start is written from its queue. */
    @Test
    void streamsThatRestAreWritten() {
        client.line("XADD s 1 f v");
        client.line("XADD s 2 f v");
        client.line("XDEL s 1");
        fixture.restart();
        write();
        Backup.restore(backup, restored);
        try (ServerFixture other = new ServerFixture(restored)) {
            assertThat(other.client().line("XRANGE s - +")).isEqualTo("[[2-0, [f, v]]]");
            assertThat(other.client().line("XINFO STREAM s")).contains("entries-added, 2");
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(backup)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    @Test
    void aDamagedFileIsNamedAndNothingIsRestored() throws IOException {
        client.line("SET a b");
        client.line("XADD s 1 f v");
        write();
        List<Path> files = files();
        assertThat(files).hasSizeGreaterThan(8);
        for (Path file : files) {
            byte[] was = Files.readAllBytes(file);
            damage(file, was);
            assertThatThrownBy(() -> Backup.restore(backup, restored))
                    .as("%s", file)
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining(backup.relativize(file).toString());
            assertThat(restored).doesNotExist();
            Files.write(file, was);
        }
        Files.delete(files.getFirst());
        assertThatThrownBy(() -> Backup.verify(backup))
                .isInstanceOf(CorruptException.class)
                .hasMessageEndingWith("the file " + backup.relativize(files.getFirst()) + " is missing");
        assertThat(directory.resolve("restored.making")).doesNotExist();
    }

    /** Changes a byte in the middle of a file, or makes one in an empty file. */
    private static void damage(Path file, byte[] was) throws IOException {
        byte[] damaged = was.length == 0 ? new byte[1] : was.clone();
        damaged[was.length / 2] ^= 4;
        Files.write(file, damaged);
    }

    /** Regression: the error of the removal was thrown instead. */
    @Test
    void anErrorIsReportedThoughItsFilesCannotBeRemoved() {
        assertThatThrownBy(() -> BackupFiles.create(backup, folder -> {
                    try {
                        Files.delete(folder);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    throw new IllegalStateException("on purpose");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("on purpose")
                .satisfies(error ->
                        assertThat(error.getSuppressed()).singleElement().isInstanceOf(StorageException.class));
    }

    @Test
    void aBackupOrARestoreOverwritesNothing() throws IOException {
        Files.createDirectory(backup);
        assertThatThrownBy(this::write).isInstanceOf(StorageException.class).hasMessageContaining("it exists");
        assertThatThrownBy(() -> Backup.restore(backup, restored)).isInstanceOf(StorageException.class);
        assertThat(restored).doesNotExist();
        Files.delete(backup);
        write();
        Files.createDirectory(restored);
        assertThatThrownBy(() -> Backup.restore(backup, restored)).hasMessageContaining("it exists");
    }

    @Test
    void aClientHasABackupWritten() {
        client.line("SET a b");
        assertThat(client.line("BGSAVE TO here")).startsWith("ERR BGSAVE TO needs the absolute path");
        assertThat(client.line("BGSAVE TO " + directory.resolve("data"))).startsWith("ERR BGSAVE TO needs");
        assertThat(client.line("BGSAVE TO " + backup)).isEqualTo("Background saving started");
        await().until(() -> client.line("INFO persistence").contains("rdb_bgsave_in_progress:0"));
        assertThat(client.line("INFO persistence")).contains("rdb_last_bgsave_status:ok");
        assertThat(Backup.verify(backup)).isPositive();
    }
}
