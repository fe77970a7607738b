package dev.larder.log.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.log.Log;
import dev.larder.log.LogAppender;
import dev.larder.log.LogLayout;
import dev.larder.log.LogOptions;
import dev.larder.log.TestLogs;
import dev.larder.log.context.LogSession;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.open.Opening;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.memory.Storage;
import dev.larder.memory.doubles.DelegatingStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pages ahead of the tail that are locked in memory: which ones, until when, and what happens where none may be locked. */
@Timeout(300)
final class LockedPagesTest {

    private static final long MIB = 1 << 20;

    @TempDir
    Path directory;

    /** A storage that records locked and unlocked ranges, as "from-to" in KiB, and locks a limited number of bytes. */
    private static final class Noting extends DelegatingStorage {
        private final List<String> locked = new ArrayList<>();
        private final List<String> unlocked = new ArrayList<>();
        private final long mostBytes;
        private long base;
        private long bytes;

        Noting(Storage storage, long mostBytes) {
            super(storage);
            this.mostBytes = mostBytes;
        }

        private String range(MemorySegment mapped) {
            long from = mapped.address() - base;
            return (from >> 10) + "-" + ((from + mapped.byteSize()) >> 10);
        }

        @Override
        public synchronized Optional<String> lockPages(MemorySegment mapped) {
            if (bytes + mapped.byteSize() > mostBytes) {
                return Optional.of("the process may lock " + mostBytes + " bytes");
            }
            bytes += mapped.byteSize();
            locked.add(range(mapped));
            return Optional.empty();
        }

        @Override
        public synchronized void unlockPages(MemorySegment mapped) {
            unlocked.add(range(mapped));
        }
    }

    private static LogLayout locking() {
        return LogLayout.defaults().withLockPages(true);
    }

    @Test
    void areThoseAheadOfTheTailInPieces() {
        LogSession session = new Opening(directory, TestLogs.options()).open();
        Lane lane = new Lane();
        Segment segment = session.segments.enterAtOrAfter(lane, 0);
        Noting storage = new Noting(TestLogs.storage(), Long.MAX_VALUE);
        storage.base = segment.memory.address();
        LockedPages pages = new LockedPages(storage, locking());
        pages.lock(segment, 0, MIB);
        pages.releaseBehind(segment, MIB - 8);
        assertThat(storage.unlocked).isEmpty();
        pages.releaseBehind(segment, MIB + 5000);
        assertThat(storage.unlocked).containsExactly("0-1024");
        pages.lock(segment, MIB / 2, MIB); // the tail has passed it while it was prepared
        pages.lock(segment, MIB / 2, 3 * MIB / 2);
        assertThat(storage.locked).containsExactly("0-1024", "1024-1536");
        pages.releaseUpTo(segment, segment.limit - 8);
        pages.releaseUpTo(segment, segment.limit);
        assertThat(storage.unlocked).containsExactly("0-1024", "1024-2044", "2044-2048");
        pages.lock(segment, 0, segment.limit);
        assertThat(storage.locked).hasSize(2);
        session.segments.leave(lane, segment);
        session.close();
    }

    @Test
    void areNoneWhenNotAskedFor() {
        LogSession session = new Opening(directory, TestLogs.options()).open();
        Lane lane = new Lane();
        Segment segment = session.segments.enterAtOrAfter(lane, 0);
        Noting storage = new Noting(TestLogs.storage(), Long.MAX_VALUE);
        LockedPages pages = new LockedPages(storage, LogLayout.defaults());
        pages.lock(segment, 0, MIB);
        pages.releaseUpTo(segment, segment.limit);
        assertThat(storage.locked).isEmpty();
        assertThat(storage.unlocked).isEmpty();
        session.segments.leave(lane, segment);
        session.close();
    }

    /** One warning, with the limit and the need, however often there is something to lock. */
    @Test
    void areToldOnceToBeRefused() {
        LogSession session = new Opening(directory, TestLogs.options()).open();
        Lane lane = new Lane();
        Segment segment = session.segments.enterAtOrAfter(lane, 0);
        List<String> warnings = new ArrayList<>();
        LockedPages pages =
                new LockedPages(new Noting(TestLogs.storage(), 1000), locking().withPrepareBytes(MIB), warnings::add);
        pages.lock(segment, 0, 4096);
        pages.lock(segment, 4096, 8192);
        assertThat(warnings).hasSize(1);
        assertThat(warnings.getFirst())
                .contains(segment.path.toString(), "may lock 1000 bytes", String.valueOf(4 * MIB), "goes on without");
        session.segments.leave(lane, segment);
        session.close();
    }

    @Test
    void areNotMissedByALogThatMayLockNone() {
        LogOptions options = HookedOptions.withStorage(TestLogs.options(), new Noting(TestLogs.storage(), 0))
                .withLayout(layout -> layout.withLockPages(true));
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            log.prepare(4 * MIB);
            TestLogs.fillUpTo(appender, 2, 1000);
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    /** Linux reports for this process: prepared pages are locked, pages behind the tail are not, and at the end none are. */
    @Test
    void areLockedAndReleasedByTheSystem() {
        assumeTrue(TestLogs.storage().isNative(), "pages are locked by native calls");
        long before = lockedBytes();
        try (Log log = Log.open(directory, TestLogs.options().withLayout(layout -> layout.withLockPages(true)));
                LogAppender appender = log.appender()) {
            log.prepare(4 * MIB);
            assumeTrue(lockedBytes() > before, "this process may not lock 4 MiB (ulimit -l)");
            assertThat(lockedBytes() - before).isGreaterThanOrEqualTo(4 * MIB);
            TestLogs.fillUpTo(appender, 3, 1000);
            await().atMost(Duration.ofMinutes(2)).until(() -> lockedBytes() == before);
            log.prepare(2 * MIB);
            assertThat(lockedBytes()).isGreaterThan(before);
        }
        assertThat(lockedBytes()).isEqualTo(before);
    }

    private static long lockedBytes() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmLck:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
