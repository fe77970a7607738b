package dev.larder.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.IntegrityMode;
import dev.larder.log.TestLogs;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.segment.SegmentMaking.Presence;
import dev.larder.log.segment.Spares.Spare;
import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which spare files keep their pages, by the size of those pages and of the pieces in which the log wants its zeros. */
final class SparesTest {

    private static final long BYTES = TestLogs.MIB_2;
    private static final long SMALL = SyncPace.SMALLEST_BYTES;
    private static final long LARGE = SyncPace.LARGEST_BYTES;
    private static final UUID LOG = new UUID(1, 2);

    @TempDir
    private Path directory;

    private final Disk disk = new Disk();
    private final Removals removals = new Removals(disk, "test");

    @AfterEach
    void end() {
        removals.close();
    }

    /** A storage whose files are all in memory. Records the writes, and the ranges declared zeros. */
    private static final class Disk extends DelegatingStorage {

        private final List<Long> written = new ArrayList<>();
        private boolean clears = true;
        private int cleared;

        Disk() {
            super(TestLogs.storage());
        }

        @Override
        public boolean isResident(MemorySegment mapped, long offset, long bytes) {
            return true;
        }

        @Override
        public Optional<StorageFile> open(Path path, boolean writable) {
            return super.open(path, writable).map(file -> new DelegatingFile(file) {
                @Override
                public boolean writesAreCoherent() {
                    return true;
                }

                @Override
                public void write(MemorySegment source, long offset) {
                    super.write(source, offset);
                    written.add(source.byteSize());
                }

                @Override
                public boolean clear(long offset, long bytes) {
                    if (clears) {
                        super.write(MemorySegment.ofArray(new byte[(int) bytes]), offset);
                        cleared++;
                    }
                    return clears;
                }
            });
        }
    }

    private Optional<Spare> renew(Presence presence, long pageBytes, long pieceBytes) {
        Path path = directory.resolve("p-0-1-1.tmp");
        try (StorageFile file = disk.create(path, Access.OWNER).orElseThrow()) {
            byte[] old = new byte[(int) BYTES];
            Arrays.fill(old, (byte) 7);
            file.allocate(BYTES, Allocation.RESERVE);
            file.write(MemorySegment.ofArray(old), 0);
        }
        SegmentMaking.How how = new SegmentMaking.How(
                LOG, IntegrityMode.RECORD, Allocation.RESERVE, Access.OWNER, BYTES, "p-0-1-", presence, false);
        Spares spares = new Spares(disk, removals, new Zeros(disk), how, Failpoints.NONE);
        spares.linked();
        spares.offer(path, pageBytes);
        return spares.renew(spares.take(BYTES).orElseThrow(), 5, 9, 1, pieceBytes);
    }

    private void assertZeros(Spare spare) throws IOException {
        byte[] bytes = Files.readAllBytes(spare.path());
        int head = (int) SegmentLayout.head(BYTES);
        assertThat(bytes).hasSize((int) BYTES);
        assertThat(Arrays.mismatch(bytes, head, bytes.length, new byte[bytes.length], head, bytes.length))
                .isEqualTo(-1);
    }

    private long largestWritten() {
        return disk.written.stream().mapToLong(piece -> piece).max().orElse(0);
    }

    @ParameterizedTest
    @EnumSource(names = {"ZEROS", "NONE"})
    void smallPagesAreKeptWhereSyncsAreMany(Presence presence) throws IOException {
        Spare spare = renew(presence, SMALL, SMALL).orElseThrow();
        assertThat(disk.cleared).isZero();
        assertThat(largestWritten()).isEqualTo(SMALL);
        assertThat(spare.pageBytes()).isEqualTo(SMALL);
        assertZeros(spare);
    }

    @ParameterizedTest
    @EnumSource(names = {"ZEROS", "NONE"})
    void largePagesGoWhereSyncsAreMany(Presence presence) throws IOException {
        Spare spare = renew(presence, KnownPages.UNKNOWN_BYTES, SMALL).orElseThrow();
        assertThat(disk.cleared).isOne();
        assertThat(largestWritten()).isEqualTo(presence == Presence.ZEROS ? SMALL : 0);
        assertThat(spare.pageBytes()).isEqualTo(SMALL);
        assertZeros(spare);
    }

    /** A log whose page sizes are unknown writes over the pages that it finds, as it always did. */
    @ParameterizedTest
    @EnumSource(names = {"ZEROS", "NONE"})
    void unknownPagesAreKeptWhereSyncsAreFew(Presence presence) throws IOException {
        Spare spare = renew(presence, KnownPages.UNKNOWN_BYTES, LARGE).orElseThrow();
        assertThat(disk.cleared).isZero();
        assertThat(disk.written).isNotEmpty();
        assertZeros(spare);
    }

    @Test
    void smallPagesGoWhereSyncsHaveBecomeFew() throws IOException {
        Spare spare = renew(Presence.ZEROS, SMALL, LARGE).orElseThrow();
        assertThat(disk.cleared).isOne();
        assertThat(disk.written).containsExactly(LARGE);
        assertThat(spare.pageBytes()).isEqualTo(LARGE);
        assertZeros(spare);
    }

    /** A new file has single pages, too. */
    @Test
    void smallPagesAreKeptOfALogThatWritesNoZerosAhead() throws IOException {
        Spare spare = renew(Presence.NONE, SMALL, LARGE).orElseThrow();
        assertThat(disk.cleared).isZero();
        assertThat(spare.pageBytes()).isEqualTo(SMALL);
        assertZeros(spare);
    }

    @Test
    void pagesOfMemoryStayAsTheyAre() throws IOException {
        Spare spare =
                renew(Presence.LARGE_PAGES, KnownPages.UNKNOWN_BYTES, SMALL).orElseThrow();
        assertThat(disk.cleared).isZero();
        assertZeros(spare);
    }

    @Test
    void aFileWhosePagesCannotGoIsNotUsed() {
        disk.clears = false;
        assertThat(renew(Presence.ZEROS, KnownPages.UNKNOWN_BYTES, SMALL)).isEmpty();
        removals.finish();
        assertThat(directory).isEmptyDirectory();
    }
}
