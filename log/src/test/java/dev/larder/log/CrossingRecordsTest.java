package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A record that spans several blocks is delivered only when all of them hold what was written. */
@Timeout(120)
final class CrossingRecordsTest {

    private static final int RECORDS = 3;
    private static final int LENGTH = 3 << 20;
    private static final long LARGEST = 16L << 20;

    @TempDir
    Path directory;

    private final List<Long> positions = new ArrayList<>();

    enum Way {
        FORWARD,
        BATCH,
        BACKWARD,
        POSITION
    }

    private static byte[] payload(int number) {
        return TestLogs.bytes(LENGTH, number);
    }

    private static LogOptions options(IntegrityMode integrity) {
        return TestLogs.options().withIntegrity(integrity).withLargestSegmentBytes(LARGEST);
    }

    private void write(IntegrityMode integrity) {
        try (Log log = Log.open(directory, options(integrity));
                LogAppender appender = log.appender()) {
            for (int number = 0; number < RECORDS; number++) {
                positions.add(appender.append(payload(number)));
            }
            log.sync();
        }
    }

    /** Flips a bit in the block that lies the given number of blocks behind the record's first one. */
    private void flip(long position, int blocks) throws IOException {
        Path file = directory.resolve(SegmentLayout.fileName(Position.segment(position)));
        long block = (Position.offset(position) >>> SegmentLayout.BLOCK_SHIFT) + blocks;
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            long at = (block << SegmentLayout.BLOCK_SHIFT) + 12_345;
            open.seek(at);
            int there = open.read();
            open.seek(at);
            open.write(there ^ 4);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "SEAL, FORWARD, 1", "SEAL, FORWARD, 2", "SEAL, BATCH, 1", "SEAL, BATCH, 2",
        "SEAL, BACKWARD, 1", "SEAL, BACKWARD, 2", "SEAL, POSITION, 1", "SEAL, POSITION, 2",
        "RECORD, FORWARD, 1", "RECORD, BATCH, 2", "RECORD, BACKWARD, 1", "RECORD, POSITION, 2"
    })
    void handsOverNoByteThatIsNotWhatWasWritten(IntegrityMode integrity, Way way, int blocks) throws IOException {
        write(integrity);
        flip(positions.get(1), blocks);
        check(way, options(integrity).withVerifyReads(true));
    }

    /** The first block of each record is in memory. The others come from the disk, where one byte is damaged. */
    @ParameterizedTest
    @CsvSource({
        "SEAL, FORWARD",
        "SEAL, BACKWARD",
        "RECORD, FORWARD",
        "RECORD, BATCH",
        "RECORD, BACKWARD",
        "RECORD, POSITION"
    })
    void checksARecordWhoseFurtherBlocksAloneComeFromTheDisk(IntegrityMode integrity, Way way) throws IOException {
        write(integrity);
        flip(positions.get(1), 2);
        long first = Position.offset(positions.get(1)) >>> SegmentLayout.BLOCK_SHIFT;
        check(way, HookedOptions.withStorage(options(integrity), new PartlyResident(TestLogs.storage(), first)));
    }

    private void check(Way way, LogOptions options) {
        try (Log log = Log.open(directory, options);
                LogReader reader = log.reader()) {
            List<Integer> sound = new ArrayList<>();
            RecordHandler handler = (segment, offset, length) -> sound.add(numberOf(segment, offset, length));
            reader.moveTo(way == Way.BACKWARD ? log.endPosition() : log.firstPosition());
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatThrownBy(() -> read(reader, way, handler))
                        .as("attempt %d", attempt)
                        .isInstanceOf(CorruptException.class)
                        .hasMessageContaining(SegmentLayout.fileName(Position.segment(positions.get(1))));
            }
            assertThat(sound)
                    .isEqualTo(
                            switch (way) {
                                case FORWARD, BATCH -> List.of(0);
                                case BACKWARD -> List.of(2);
                                case POSITION -> List.of();
                            });
        }
    }

    /**
     * A power loss leaves any hint on the disk. Blocks that were not in memory when the log was opened, and were loaded
     * unnoticed since, are still checked, as far as the log was durable.
     */
    @Test
    void aHintThatIsOlderOnTheDiskSparesNoBlockItsCheck() throws IOException {
        write(IntegrityMode.SEAL);
        long last = positions.getLast();
        flip(last, 1);
        loseHint(Position.segment(last));
        Awakening storage = new Awakening();
        try (Log log = Log.open(directory, HookedOptions.withStorage(options(IntegrityMode.SEAL), storage));
                LogReader reader = log.reader()) {
            storage.inMemory = true;
            reader.moveTo(last);
            assertThatThrownBy(() -> reader.poll((segment, offset, length) -> {}))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining("fails its seal");
        }
    }

    private void loseHint(int segment) throws IOException {
        Path file = directory.resolve(SegmentLayout.fileName(segment));
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.seek(SegmentLayout.HINT);
            open.writeLong(0);
        }
    }

    /** A machine that has nothing in memory at first, and everything later. */
    private static final class Awakening extends DelegatingStorage {

        private volatile boolean inMemory;

        Awakening() {
            super(TestLogs.storage());
        }

        @Override
        public boolean isResident(MemorySegment mapped, long offset, long bytes) {
            return inMemory;
        }
    }

    private void read(LogReader reader, Way way, RecordHandler handler) {
        switch (way) {
            case BATCH -> reader.drain(handler, RECORDS);
            case BACKWARD -> reader.drainBackward(handler, RECORDS);
            case POSITION -> {
                reader.moveTo(positions.get(1));
                reader.poll(handler);
            }
            case FORWARD -> {
                while (reader.poll(handler)) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    private static int numberOf(MemorySegment segment, long offset, int length) {
        for (int number = 0; number < RECORDS; number++) {
            if (segment.asSlice(offset, length).mismatch(MemorySegment.ofArray(payload(number))) < 0) {
                return number;
            }
        }
        throw new AssertionError("bytes were handed over that were never written");
    }

    @Test
    void handsOverWhatIsSound() {
        write(IntegrityMode.SEAL);
        try (Log log = Log.open(directory, options(IntegrityMode.SEAL).withVerifyReads(true))) {
            List<byte[]> read = TestLogs.payloads(log);
            assertThat(read).hasSize(RECORDS);
            for (int number = 0; number < RECORDS; number++) {
                assertThat(read.get(number)).isEqualTo(payload(number));
            }
        }
    }

    /** A machine that has one block of each segment in memory. */
    private static final class PartlyResident extends DelegatingStorage {

        private final long block;
        private final Set<Long> mappings = ConcurrentHashMap.newKeySet();

        PartlyResident(Storage storage, long block) {
            super(storage);
            this.block = block;
        }

        @Override
        public Optional<StorageFile> open(Path path, boolean writable) {
            return super.open(path, writable).map(file -> new DelegatingFile(file) {
                @Override
                public MemorySegment map(long offset, long length, boolean writable, Arena arena) {
                    MemorySegment mapped = super.map(offset, length, writable, arena);
                    mappings.add(mapped.address());
                    return mapped;
                }
            });
        }

        @Override
        public boolean isResident(MemorySegment mapped, long offset, long bytes) {
            return mappings.stream().anyMatch(base -> isIn(mapped.address() + offset - base, bytes));
        }

        private boolean isIn(long offset, long bytes) {
            long start = block << SegmentLayout.BLOCK_SHIFT;
            return offset >= start && offset + bytes <= start + SegmentLayout.BLOCK_BYTES;
        }
    }
}
