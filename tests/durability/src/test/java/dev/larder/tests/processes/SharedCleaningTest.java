package dev.larder.tests.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.Failpoints;
import dev.larder.map.LarderMap;
import dev.larder.map.MapSnapshot;
import dev.larder.map.MapVerifyReport;
import dev.larder.map.StoredMap;
import dev.larder.tests.crash.ChildProcess;
import dev.larder.tests.support.Effort;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several processes put into a map that one of them cleans: no process outruns it, and none waits for a stopped one. */
@Timeout(120)
@Tag(Effort.LONG)
final class SharedCleaningTest {

    private static final boolean SOAK = Boolean.getBoolean("larder.soak");
    private static final long SECONDS = 60;
    private static final long SEGMENT_BYTES = 2L << 20;

    /** Live bytes, 16 MiB below which cleaning would not pay, and the space that is taken until a cleaned segment is gone. */
    private static final long FEW_BYTES = 48L << 20;

    private static final long PAUSE_MILLIS = 50;
    private static final long FOR_EVER_MILLIS = 3_600_000;

    private static final int LOOKS = Effort.of(3, 3, 10);

    /** So slow that a reader comes to all segments before they are dropped, also on a busy machine. */
    private static final long PAUSE_FOR_READERS_MILLIS = 640;

    /** Fewer looks, as each waits until all segments were dropped. */
    private static final int PATIENT_LOOKS = Effort.of(1, 1, 2);

    private static final int FEW_PUTS = 200;

    /** So many that a wait for each of them would take longer than the test may. */
    private static final long MANY_SEGMENTS = 150;

    private final String storage =
            System.getProperty("larder.test.storage", "system").equals("system") ? "system" : "portable";

    @TempDir
    Path directory;

    @BeforeEach
    void mayTakeHalfAMinute() {
        assumeTrue(SOAK || storage.equals("system"), "without native calls in the long run (-Psoak) only");
    }

    private LarderMap<Long, byte[]> open() {
        return MapCompany.open(map(), storage, Failpoints.NONE);
    }

    private Path map() {
        return directory.resolve("map");
    }

    private ChildProcess start(String role, long pauseMillis) {
        ChildProcess child = ChildProcess.start(
                MapCompany.class,
                directory.resolve("errors"),
                List.of(),
                map().toString(),
                storage,
                role,
                Long.toString(pauseMillis));
        child.expect("READY", SECONDS);
        return child;
    }

    /** Overwrites the keys until this many bytes were put; returns the most space that the files took. */
    private static long put(LarderMap<Long, byte[]> map, long bytes) {
        long most = 0;
        for (long put = 0; put * MapCompany.LENGTH < bytes; put++) {
            map.set(put % MapCompany.KEYS, new byte[MapCompany.LENGTH]);
            if (put % MapCompany.KEYS == 0) {
                most = Math.max(most, map.info().space().fileBytes());
            }
        }
        return most;
    }

    /** This process's cleaner finds the other process cleaning, and so does a put that helps. */
    @Test
    void waitsForAnotherProcessThatCleans() {
        try (LarderMap<Long, byte[]> map = open();
                ChildProcess cleaner = start("compact", PAUSE_MILLIS)) {
            put(map, FEW_BYTES);
            cleaner.expect("CLEANING", SECONDS);
            assertThat(put(map, 2 * FEW_BYTES)).isLessThan(FEW_BYTES);
            assertThat(cleaner.isAlive()).as("%s", cleaner.standardError()).isTrue();
        }
    }

    /** The stopped process holds back the segment that it cleans, and all behind that. No put waits for it once per segment. */
    @Test
    void goesOnBesideOneThatIsStopped() {
        try (LarderMap<Long, byte[]> map = open();
                ChildProcess cleaner = start("compact", FOR_EVER_MILLIS)) {
            put(map, FEW_BYTES);
            cleaner.expect("CLEANING", SECONDS);
            cleaner.signal("STOP");
            assertThat(put(map, MANY_SEGMENTS * SEGMENT_BYTES)).isGreaterThan(MANY_SEGMENTS * SEGMENT_BYTES);
            cleaner.kill();
            await().atMost(Duration.ofSeconds(SECONDS)).until(() -> fileBytes(map) < FEW_BYTES);
        }
    }

    private static long fileBytes(LarderMap<Long, byte[]> map) {
        return map.info().space().fileBytes();
    }

    /**
     * While a reader verifies the map, the cleaner drops segments with the oldest records, and those to which the image leads.
     */
    @Test
    void isVerifiedWhileItIsCleaned() {
        try (LarderMap<Long, byte[]> map = open()) {
            put(map, FEW_BYTES);
        }
        try (ChildProcess busy = start("churn", 1)) {
            for (int look = 0; look < LOOKS; look++) {
                long before = firstPosition();
                assertThat(verify().problems()).isEmpty();
                await().atMost(Duration.ofSeconds(SECONDS)).until(() -> firstPosition() > before);
            }
            assertThat(busy.isAlive()).isTrue();
        }
    }

    /** A process that has just opened a map has mapped few segments; its walk comes to some that the cleaner drops meanwhile. */
    @Test
    void isWalkedOverWhileItIsCleaned() {
        try (LarderMap<Long, byte[]> map = open()) {
            put(map, FEW_BYTES);
        }
        try (ChildProcess busy = start("churn", 1)) {
            for (int look = 0; look < LOOKS; look++) {
                try (LarderMap<Long, byte[]> map = open()) {
                    assertThat(map.keySet().stream().filter(key -> key >= 0)).hasSize((int) MapCompany.KEYS);
                    try (MapSnapshot<Long, byte[]> snapshot = map.snapshot()) {
                        assertThat(snapshot).hasSizeGreaterThanOrEqualTo((int) MapCompany.KEYS);
                    }
                }
            }
            assertThat(busy.isAlive()).isTrue();
        }
    }

    /** A read-only process has no pin in the log. What it has mapped stays as it was, though all of it was dropped since. */
    @Test
    void isWhatItWasWhenItWasOpenedReadOnly() {
        try (LarderMap<Long, byte[]> map = open()) {
            for (long key = 0; key < MapCompany.KEYS; key++) {
                map.set(key, value(key));
            }
        }
        try (ChildProcess busy = start("churn", PAUSE_FOR_READERS_MILLIS)) {
            for (int look = 0; look < PATIENT_LOOKS; look++) {
                try (LarderMap<Long, byte[]> map = MapCompany.openReadOnly(map(), storage)) {
                    long end = map.info().log().endPosition();
                    Set<Long> keys = Set.copyOf(map.keySet());
                    await().atMost(Duration.ofSeconds(SECONDS))
                            .until(() -> map.info().log().firstPosition() > end);
                    for (long key = 0; key < MapCompany.KEYS; key++) {
                        assertThat(map.get(key)).isEqualTo(value(key));
                    }
                    assertThat(map.keySet()).isEqualTo(keys);
                }
            }
            assertThat(busy.isAlive()).isTrue();
        }
    }

    private static byte[] value(long key) {
        return ByteBuffer.allocate(MapCompany.LENGTH).putLong(31 * key).array();
    }

    private MapVerifyReport verify() {
        try (StoredMap stored = StoredMap.open(map(), LogOptions.defaults())) {
            return stored.verify();
        }
    }

    private long firstPosition() {
        try (StoredMap stored = StoredMap.open(map(), LogOptions.defaults())) {
            return stored.info().log().firstPosition();
        }
    }

    /**
     * A process that fills segments should help to clean, though here it does not. If others had to help, nearly each of their
     * puts would clean a segment. Now and then one does, since a cleaner's carried records fill segments, too.
     */
    @Test
    void asksNobodyForHelpWhoPutsLittle() {
        Thread putting = Thread.currentThread();
        AtomicBoolean more = new AtomicBoolean(); // the files take more than they should
        AtomicInteger cleanedByPuts = new AtomicInteger();
        Failpoints steps = step -> {
            if (step.equals("clean.scanned") && Thread.currentThread().equals(putting)) {
                cleanedByPuts.incrementAndGet();
            } else if (step.equals("clean.scanned")) {
                awaitAWhile(more);
            }
        };
        try (LarderMap<Long, byte[]> map = MapCompany.open(map(), storage, steps);
                ChildProcess busy = start("put", PAUSE_MILLIS)) {
            int puts = 0;
            int helping = 0;
            while (puts < FEW_PUTS && busy.isAlive()) {
                more.set(fileBytes(map) > FEW_BYTES);
                if (more.get()) {
                    int before = cleanedByPuts.get();
                    map.set((long) puts, new byte[1]);
                    puts++;
                    helping += cleanedByPuts.get() > before ? 1 : 0;
                }
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(busy.isAlive()).isTrue();
            assertThat(helping).as("puts of " + FEW_PUTS + " that cleaned").isLessThan(FEW_PUTS / 2);
        }
    }

    /** Waits so that, however slow the other process is, nothing is cleaned before the files take more than they should. */
    private static void awaitAWhile(AtomicBoolean more) {
        for (int i = 0; i < 1000 && !more.get(); i++) {
            LockSupport.parkNanos(20_000_000);
        }
    }
}
