package dev.larder.log;

import dev.larder.log.format.ControlLayout;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.segment.BlockSet;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.ControlFile;
import dev.larder.memory.Allocation;
import dev.larder.memory.StorageFile;
import dev.larder.memory.Words;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Control files and segments of the log, each a part of one sparse mapped file: cheap enough for every state of a stress test
 * to have its own. They are reused, with zeroed words, only after more other ones than live at a time ({@code -strideSize}
 * times {@code -strideCount}).
 */
final class StressMemory {

    /** A control file and a segment. */
    record Place(ControlFile control, Segment segment) {}

    private static final int PLACES = 256;
    private static final long CONTROL_BYTES = (ControlLayout.SIZE_BYTES + 4095) & -4096L;
    private static final long PLACE_BYTES = CONTROL_BYTES + LogLayout.FIRST_SEGMENT_DEFAULT_BYTES;
    private static final MemorySegment MEMORY = map();
    private static final @Nullable Place[] MADE = new Place[PLACES];
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final long WORDS_BYTES = 256;

    private StressMemory() {}

    private static MemorySegment map() {
        try {
            Path file = Files.createTempFile("larder-stress", ".sparse");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                return channel.map(FileChannel.MapMode.READ_WRITE, 0, PLACES * PLACE_BYTES, Arena.global());
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a place with zeroed words. */
    static Place next() {
        int index = Math.floorMod(NEXT.getAndIncrement(), PLACES);
        Place place = place(index);
        place.segment.memory.asSlice(place.segment.head, WORDS_BYTES).fill((byte) 0);
        Words.setPlain(place.segment.memory, SegmentLayout.HINT, 0);
        MemorySegment control = place.control.memory;
        control.asSlice(ControlLayout.FIRST, ControlLayout.STATE - ControlLayout.FIRST)
                .fill((byte) 0);
        Words.setPlain(control, ControlLayout.pin(0), 0);
        return place;
    }

    private static final UUID LOG = new UUID(1, 2);

    private static synchronized Place place(int index) {
        Place place = MADE[index];
        if (place == null) {
            place = make(index * PLACE_BYTES);
            MADE[index] = place;
        }
        return place;
    }

    private static Place make(long at) {
        MemorySegment control = MEMORY.asSlice(at, ControlLayout.SIZE_BYTES);
        ControlFile.format(
                control, LOG, IntegrityMode.SEAL, LogLayout.FIRST_SEGMENT_DEFAULT_BYTES, LogRetention.none(), false, 0);
        MemorySegment segment = MEMORY.asSlice(at + CONTROL_BYTES, LogLayout.FIRST_SEGMENT_DEFAULT_BYTES);
        Segment.format(segment, 0, 77, LOG, IntegrityMode.SEAL, 0, 0);
        return new Place(
                new ControlFile(new Part(control), true),
                Segment.map(
                        new Part(segment),
                        0,
                        LOG,
                        IntegrityMode.SEAL,
                        true,
                        memory -> new BlockSet(memory.byteSize()),
                        false,
                        Arena.ofShared()));
    }

    /** A file that is a part of the mapping. */
    record Part(MemorySegment memory) implements StorageFile {

        @Override
        public Path path() {
            return Path.of("stress");
        }

        @Override
        public long sizeBytes() {
            return memory.byteSize();
        }

        @Override
        public MemorySegment map(long offset, long length, boolean writable, Arena arena) {
            return memory.asSlice(offset, length);
        }

        @Override
        public void allocate(long bytes, Allocation allocation) {}

        @Override
        public void write(MemorySegment source, long offset) {
            MemorySegment.copy(source, 0, memory, offset, source.byteSize());
        }

        @Override
        public boolean writesAreCoherent() {
            return true;
        }

        @Override
        public void force(MemorySegment mapped) {}

        @Override
        public void forceAll() {}

        @Override
        public void startWriteback(long offset, long length) {}

        @Override
        public boolean tryLock(long offset) {
            return true;
        }

        @Override
        public boolean tryLockShared(long offset) {
            return true;
        }

        @Override
        public void unlock(long offset) {}

        @Override
        public void close() {}
    }
}
