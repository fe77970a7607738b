package dev.larder.map.checkpoint;

import dev.larder.log.Position;
import dev.larder.map.format.CheckpointLayout;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.format.PackedPositions;
import dev.larder.map.format.Placement;
import dev.larder.map.shared.IndexFile;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.TruncatedException;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * An image of an index, mapped for reading. A file of that name is never changed, so what was mapped stays as it is when the
 * next one takes its name.
 */
public final class CheckpointReader {

    private final Path path;
    private final Storage storage;
    private final MemorySegment memory;
    private final long steps;

    private CheckpointReader(Path path, Storage storage, MemorySegment memory) {
        this.path = path;
        this.storage = storage;
        this.memory = memory;
        this.steps = Words.getPlain(memory, CheckpointLayout.STEPS);
    }

    /**
     * Maps the image in a directory; empty where there is none.
     *
     * @throws LarderException when its header is damaged, or its length is another
     */
    public static Optional<CheckpointReader> of(Path directory, Storage storage, Arena arena) {
        Path path = directory.resolve(CheckpointLayout.FILE_NAME);
        Optional<StorageFile> file = storage.open(path, false);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        try (StorageFile open = file.get()) {
            return Optional.of(of(path, storage, open, arena));
        }
    }

    private static CheckpointReader of(Path path, Storage storage, StorageFile file, Arena arena) {
        long bytes = file.sizeBytes();
        if (bytes < CheckpointLayout.STEPS_AT) {
            throw new TruncatedException(
                    path + ": checkpoint of " + bytes + " bytes, least is " + CheckpointLayout.STEPS_AT);
        }
        MemorySegment memory = file.map(0, bytes, false, arena);
        FileHeader.read(memory, path, CheckpointLayout.FORMAT, CheckpointLayout.VERSION, Features.NONE, false);
        CheckpointReader image = new CheckpointReader(path, storage, memory);
        boolean isWhole = image.steps >= Placement.PARTITIONS
                && image.steps <= IndexFileLayout.STEPS_MAX
                && CheckpointLayout.bytes(image.steps) <= bytes;
        if (!isWhole) {
            throw new CorruptException(path + ": checkpoint of " + image.steps + " steps in " + bytes + " bytes");
        }
        return image;
    }

    /** Returns how long the image in a directory is; 0 where there is none. */
    static long sizeBytes(Path directory, Storage storage) {
        Optional<StorageFile> file = storage.open(directory.resolve(CheckpointLayout.FILE_NAME), false);
        long bytes = file.map(StorageFile::sizeBytes).orElse(0L);
        file.ifPresent(StorageFile::close);
        return bytes;
    }

    private long field(long offset) {
        return Words.getPlain(memory, offset);
    }

    /** Returns whether it is an image of the index of a log, and leads nowhere behind the log's end. */
    public boolean isOf(UUID log, long end) {
        UUID identity = new UUID(field(CheckpointLayout.IDENTITY_HIGH), field(CheckpointLayout.IDENTITY_LOW));
        return identity.equals(log) && reach() <= end;
    }

    /** Fails unless it is an image of the index that is opened, and its rows are those of a whole one. */
    void require(IndexFile.Opening opening, long end) {
        if (!isOf(opening.log(), end) || seed() != opening.seed()) {
            throw damaged("is of another log or seed, or leads to " + Position.toString(reach())
                    + ", behind the log's end at " + Position.toString(end));
        }
        requireRows();
    }

    /** Fails unless the rows are what was written, and their steps those of a whole index. */
    public void requireRows() {
        long at = CheckpointLayout.row(steps, 0);
        if (rowsCheck() != CheckpointLayout.rowsCheck(memory, at, steps * CheckpointLayout.ROW_BYTES)) {
            throw damaged("fails the check of its rows, at offset " + at);
        }
        long covered = 0;
        for (long step = 0; step < steps; step++) {
            covered += 1L << (IndexWord.DEPTH_MAX - IndexPageLayout.depth(place(step)));
        }
        if (covered != (long) Placement.PARTITIONS << IndexWord.DEPTH_MAX) {
            throw damaged("has " + steps + " steps, which are not those of a whole index");
        }
    }

    private LarderException damaged(String what) {
        return new CorruptException(path + ": the checkpoint " + what);
    }

    public long seed() {
        return field(CheckpointLayout.SEED);
    }

    /** Returns from which position the log is to be read. */
    public long replay() {
        return field(CheckpointLayout.REPLAY);
    }

    /** Returns what the checks of its steps are mixed with; 0 where an earlier release has written it. */
    private long salt() {
        return field(CheckpointLayout.SALT);
    }

    /** Returns the position that no word leads to, or behind. */
    long reach() {
        return field(CheckpointLayout.REACH);
    }

    /** Returns the first segment that the log had when the image was begun: no word leads before it. */
    long firstSegment() {
        return field(CheckpointLayout.FIRST);
    }

    /**
     * Returns the segment that the cleaner was to empty next when the image was written. Of those before it, which a restore point
     * may keep, and of this one, it has forgotten what is not alive. 0 where an earlier release has written the image.
     */
    public long emptiedTo() {
        return field(CheckpointLayout.EMPTIED_TO);
    }

    long rowsCheck() {
        return field(CheckpointLayout.ROWS_CHECK);
    }

    /** Returns what the records of the entries take in the log; empty where the image does not say. */
    public OptionalLong liveBytes() {
        long live = field(CheckpointLayout.LIVE);
        boolean isKnown = live != 0 || field(CheckpointLayout.LIVE_KNOWN) != 0;
        return isKnown ? OptionalLong.of(live) : OptionalLong.empty();
    }

    /** Returns the position behind which the live bytes were counted apart, as their number was too high; 0 where it was not. */
    long apartFrom() {
        return field(CheckpointLayout.APART_FROM);
    }

    /** Returns the live bytes behind that position. */
    long apartBytes() {
        return field(CheckpointLayout.APART_BYTES);
    }

    /** Returns how its words are completed: to the segment of its end, or the next below. */
    public PackedPositions places(long largestSegmentBytes) {
        int last = Position.segment(reach());
        int room = new PackedPositions(largestSegmentBytes, 0).segmentsMax();
        return new PackedPositions(largestSegmentBytes, last - room + 1);
    }

    /** Returns how many steps it has. */
    long steps() {
        return steps;
    }

    public long bytes() {
        return steps * IndexPageLayout.BYTES;
    }

    /** Returns the place of a step, as its row says. */
    long place(long step) {
        return field(CheckpointLayout.row(steps, step));
    }

    /** Returns how many entries a step has, as its row says. */
    long alive(long step) {
        return field(CheckpointLayout.row(steps, step) + CheckpointLayout.ROW_ALIVE);
    }

    /** Returns how many entries the rows say there are. */
    public long entries() {
        long entries = 0;
        for (long step = 0; step < steps; step++) {
            entries += alive(step);
        }
        return entries;
    }

    /** Returns a step, which may be damaged. Its pages are brought in before, so that no thread waits for them. */
    MemorySegment step(long step) {
        long from = CheckpointLayout.step(step);
        MemorySegment bytes = memory.asSlice(from, IndexPageLayout.BYTES);
        storage.bringIn(bytes, path, from);
        return bytes;
    }

    /** Returns whether a step is what was written. */
    boolean isSound(long number, MemorySegment step) {
        return Words.getPlain(step, IndexPageLayout.CHECK) == CheckpointLayout.stepCheck(step, 0, replay(), salt())
                && Words.getPlain(step, IndexPageLayout.PLACE) == place(number);
    }

    /** Returns how people call a step. */
    String describe(long step) {
        return path + ": step " + step + " at offset " + CheckpointLayout.step(step);
    }
}
