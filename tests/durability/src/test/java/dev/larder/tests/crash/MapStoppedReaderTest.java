package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.map.LarderMap;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process is stopped in the middle of reading a map with a bound, while others put so much that all of it is cleaned several
 * times. It holds back the space that it reads, whose bytes stay as they were, but no process's progress.
 */
@Tag(Effort.LONG)
@Timeout(300)
final class MapStoppedReaderTest {

    private static final boolean SOAK = Boolean.getBoolean("larder.soak");
    private static final long SECONDS = 60;
    private static final long CLEANED_BYTES = (SOAK ? 20 : 3) * MapReader.MOST_BYTES;

    /** Space that another process's reader holds is given up after a second; a put that has no other space waits until then. */
    private static final long PUT_MOST_NANOS = 1_500_000_000;

    private static final Duration LONG = Duration.ofMinutes(2);

    private final String storage =
            System.getProperty("larder.test.storage", "system").equals("system") ? "system" : "portable";

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"handler", "snapshot"})
    void holdsBackSpaceAndNobody(String how) throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/maps")), "needs /proc");
        assumeTrue(
                SOAK || (storage.equals("system") && how.equals("handler")),
                "a handler with native calls; the rest in the long run (-Psoak) only");
        Storage files = storage.equals("system") ? SystemStorage.system() : SystemStorage.portable();
        try (LarderMap<Long, byte[]> map = MapReader.open(directory.resolve("map"), files)) {
            for (long key = 0; key < MapReader.KEYS; key++) {
                map.set(key, MapReader.value(key, 0));
            }
            long last;
            try (ChildProcess reader = startReader(how)) {
                reader.expect("INSIDE", SECONDS);
                reader.signal("STOP");
                last = goOn(map, how);
                await().atMost(LONG).until(() -> deletedFiles(reader) > 0); // held back
                reader.signal("CONT");
                reader.say("go");
                reader.expect("SAME", SECONDS);
                await().atMost(LONG).until(() -> deletedFiles(reader) == 0);
                reader.say("go");
                assertThat(reader.exitCode(SECONDS)).isZero();
            }
            for (long key = 0; key < MapReader.KEYS; key++) {
                assertThat(map.get(key)).isEqualTo(MapReader.value(key, last));
            }
        }
    }

    private ChildProcess startReader(String how) {
        return ChildProcess.start(
                MapReader.class,
                directory.resolve("errors"),
                List.of(),
                directory.resolve("map").toString(),
                storage,
                how);
    }

    /** Puts all keys again and again, until many times the map's bound was cleaned; returns how often. */
    private static long goOn(LarderMap<Long, byte[]> map, String how) throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        try (ExecutorService threads = Executors.newFixedThreadPool(1)) {
            Future<Long> longestGet = threads.submit((Callable<Long>) () -> read(map, ended));
            long start = System.nanoTime();
            long version = 0;
            long longestPut = 0;
            try {
                while (map.info().space().cleanedBytes() < CLEANED_BYTES) {
                    version++;
                    longestPut = Math.max(longestPut, putAll(map, version));
                }
            } finally {
                ended.set(true);
            }
            if (SOAK) {
                assertThat(longestPut).as("a put, in ns").isLessThan(PUT_MOST_NANOS);
            }
            System.out.println("a reader stopped in a " + how + ": " + version * MapReader.KEYS + " puts in "
                    + (System.nanoTime() - start) / 1_000_000 + " ms, longest put " + longestPut / 1_000
                    + " us, longest get " + longestGet.get() / 1_000 + " us, cleaned "
                    + map.info().space().cleanedBytes() + " bytes, files "
                    + map.info().space().fileBytes());
            return version;
        }
    }

    private static long putAll(LarderMap<Long, byte[]> map, long version) {
        long longest = 0;
        for (long key = 0; key < MapReader.KEYS; key++) {
            byte[] value = MapReader.value(key, version);
            long start = System.nanoTime();
            map.set(key, value);
            long took = System.nanoTime() - start;
            longest = Math.max(longest, took);
        }
        return longest;
    }

    private static long read(LarderMap<Long, byte[]> map, AtomicBoolean ended) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(1);
        long longest = 0;
        while (!ended.get()) {
            long key = random.nextInt(MapReader.KEYS);
            long start = System.nanoTime();
            byte[] value = map.get(key);
            long took = System.nanoTime() - start;
            longest = Math.max(longest, took);
            assertThat(value).isNotEmpty();
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return longest;
    }

    /** Returns how many deleted files of the map a process has still mapped: their space is not free yet. */
    private long deletedFiles(ChildProcess process) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + process.pid() + "/maps"))) {
            String folder = directory.resolve("map") + "/";
            return lines.filter(line -> line.contains(folder) && line.endsWith("(deleted)"))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
