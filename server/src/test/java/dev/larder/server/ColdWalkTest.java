package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.doubles.EvictingStorage;
import dev.larder.server.local.LocalKeyspace;
import dev.larder.server.store.StoreOptions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Walks over keys that have left the memory. A thread other than the only event loop reads them. */
@Timeout(120)
final class ColdWalkTest {

    private static final int KEYS = 500;
    private static final String READERS = "larder-read-";

    /** Other threads that may wait for the disk. */
    private static final Set<String> BACKGROUND = Set.of("larder-expiry", "larder-remover");

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private final EvictingStorage storage = new EvictingStorage(SystemStorage.system());
    private final Set<String> readers = ConcurrentHashMap.newKeySet();
    private LarderServer server;
    private TestClient client;

    @BeforeEach
    void start() {
        StoreOptions options = StoreOptions.defaults()
                .withSegmentBytes(4 << 20)
                .withStorage(HookedOptions.withStorage(LogOptions.defaults(), storage), storage);
        server = LarderServer.start(
                Configuration.defaults()
                        .with("dir", directory.toString())
                        .with("port", "0")
                        .with("io-threads", "1"),
                new LocalKeyspace(directory, 1, options, false),
                Map.of());
        client = new TestClient(server.port());
        for (int i = 0; i < KEYS; i++) {
            client.line("SET key" + i + " " + "v".repeat(3000));
        }
        client.line("XADD stream 1-1 f v");
        storage.onReading(pages -> readers.add(Thread.currentThread().getName()));
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private String cold(String line) {
        readers.clear();
        storage.evictAll();
        String reply = client.line(line);
        assertThat(readers).as(line).allMatch(name -> name.startsWith(READERS) || BACKGROUND.contains(name));
        return reply;
    }

    private static Set<String> words(String reply) {
        return new TreeSet<>(Arrays.asList(reply.replaceAll("[\\[\\]]", "").split(", ", -1)));
    }

    /** Regression: the loop read each record from the disk, while its other clients waited. */
    @Test
    void theLoopDoesNotRead() {
        assertThat(words(cold("KEYS *"))).hasSize(KEYS + 1);
        assertThat(readers).isNotEmpty();
        assertThat(cold("RANDOMKEY")).matches("key\\d+|stream");
        assertThat(words(cold("SCAN 0 COUNT 20"))).hasSizeGreaterThanOrEqualTo(20);
        assertThat(client.line("PING")).isEqualTo("PONG");
    }

    @Test
    void aScanPassesOnAllKeys() {
        Set<String> found = new TreeSet<>();
        Set<String> read = new TreeSet<>();
        String cursor = "0";
        do {
            String reply = cold("SCAN " + cursor + " COUNT 50 TYPE string");
            cursor = reply.substring(1, reply.indexOf(','));
            found.addAll(words(reply.substring(reply.indexOf("[", 1))));
            read.addAll(readers);
        } while (!cursor.equals("0") && !cursor.startsWith("46116860184273879")); // from there on there are streams
        found.remove("");
        assertThat(read).isNotEmpty();
        assertThat(found).hasSize(KEYS);
    }

    /** The error of a walk that another thread would make is the loop's. */
    @Test
    void aWrongWalkFails() {
        storage.evictAll();
        assertThat(client.line("SCAN x")).isEqualTo("ERR invalid cursor");
        assertThat(client.line("SCAN 0 COUNT 0")).isEqualTo("ERR syntax error");
        assertThat(client.line("KEYS none")).isEqualTo("[]");
    }
}
