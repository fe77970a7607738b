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
 * An image of an index, mapped for reading. A file of that name is never changed, so the mapped bytes stay the same when the
 * next image takes its name.
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
     * Maps the image in a directory; empty if there is none.
     *
     * @throws LarderException when its header is damaged, or its length is wrong
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
            throw new CorruptException(path + ": checkpoint of " + image.steps + " pages in " + bytes + " bytes");
        }
        return image;
    }

    /** Returns the length of the image in a directory; 0 if there is none. */
    static long sizeBytes(Path directory, Storage storage) {
        Optional<StorageFile> file = storage.open(directory.resolve(CheckpointLayout.FILE_NAME), false);
        long bytes = file.map(StorageFile::sizeBytes).orElse(0L);
        file.ifPresent(StorageFile::close);
        return bytes;
    }

    private long field(long offset) {
        return Words.getPlain(memory, offset);
    }

    /** Returns whether this is an image of the index of a log, and leads nowhere behind the log's end. */
    public boolean isOf(UUID log, long end) {
        UUID identity = new UUID(field(CheckpointLayout.IDENTITY_HIGH), field(CheckpointLayout.IDENTITY_LOW));
        return identity.equals(log) && reach() <= end;
    }

    /** Fails unless this is an image of the index being opened, and its rows are those of a whole one. */
    void require(IndexFile.Opening opening, long end) {
        if (!isOf(opening.log(), end) || seed() != opening.seed()) {
            throw damaged("is of another log or seed, or points to " + Position.toString(reach())
                    + ", past the log's end at " + Position.toString(end));
        }
        requireRows();
    }

    /** Fails unless the rows are as written, and their pages those of a whole index. */
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
            throw damaged("has " + steps + " pages, which do not make a whole index");
        }
    }

    private LarderException damaged(String what) {
        return new CorruptException(path + ": the checkpoint " + what);
    }

    public long seed() {
        return field(CheckpointLayout.SEED);
    }

    /** Returns the position from which the log is to be read. */
    public long replay() {
        return field(CheckpointLayout.REPLAY);
    }

    /** Returns the salt mixed into the checks of its pages; 0 if an earlier release has written the image. */
    private long salt() {
        return field(CheckpointLayout.SALT);
    }

    /** Returns the position at or behind which no word leads. */
    long reach() {
        return field(CheckpointLayout.REACH);
    }

    /** Returns the first segment that the log had when the image was begun: no word leads before it. */
    long firstSegment() {
        return field(CheckpointLayout.FIRST);
    }

    /**
     * Returns the segment that the cleaner was to empty next when the image was written. In that segment, and in those before
     * it, which a restore point may keep, it has forgotten the entries that are not alive. 0 if an earlier release has written
     * the image.
     */
    public long emptiedTo() {
        return field(CheckpointLayout.EMPTIED_TO);
    }

    /** Returns whether no entry expires; false also if an earlier release has written the image, which does not say. */
    boolean isEndless() {
        return field(CheckpointLayout.ENDLESS) != 0;
    }

    long rowsCheck() {
        return field(CheckpointLayout.ROWS_CHECK);
    }

    /** Returns the bytes of the entries' records in the log; empty if the image does not say. */
    public OptionalLong liveBytes() {
        long live = field(CheckpointLayout.LIVE);
        boolean isKnown = live != 0 || field(CheckpointLayout.LIVE_KNOWN) != 0;
        return isKnown ? OptionalLong.of(live) : OptionalLong.empty();
    }

    /** Returns the position behind which live bytes were counted apart, as their total was too high; 0 if they were not. */
    long apartFrom() {
        return field(CheckpointLayout.APART_FROM);
    }

    /** Returns the live bytes behind that position. */
    long apartBytes() {
        return field(CheckpointLayout.APART_BYTES);
    }

    /** Returns the rule that completes its words to positions: each in the segment of the image's end, or in one below. */
    public PackedPositions places(long largestSegmentBytes) {
        int last = Position.segment(reach());
        int room = new PackedPositions(largestSegmentBytes, 0).segmentsMax();
        return new PackedPositions(largestSegmentBytes, last - room + 1);
    }

    /** Returns the number of its pages. */
    long steps() {
        return steps;
    }

    public long bytes() {
        return steps * IndexPageLayout.BYTES;
    }

    /** Returns the place of a page, according to its row. */
    long place(long step) {
        return field(CheckpointLayout.row(steps, step));
    }

    /** Returns the number of entries of a page, according to its row. */
    long alive(long step) {
        return field(CheckpointLayout.row(steps, step) + CheckpointLayout.ROW_ALIVE);
    }

    /** Returns the number of entries, according to the rows. */
    public long entries() {
        long entries = 0;
        for (long step = 0; step < steps; step++) {
            entries += alive(step);
        }
        return entries;
    }

    /** Returns a page, which may be damaged. Its bytes are loaded before, so that no thread waits for them later. */
    MemorySegment step(long step) {
        long from = CheckpointLayout.step(step);
        MemorySegment bytes = memory.asSlice(from, IndexPageLayout.BYTES);
        storage.bringIn(bytes, path, from);
        return bytes;
    }

    /** Returns whether a page is as it was written. */
    boolean isSound(long number, MemorySegment step) {
        return Words.getPlain(step, IndexPageLayout.CHECK) == CheckpointLayout.stepCheck(step, 0, replay(), salt())
                && Words.getPlain(step, IndexPageLayout.PLACE) == place(number);
    }

    /** Returns the name of a page for messages. */
    String describe(long step) {
        return path + ": step " + step + " at offset " + CheckpointLayout.step(step);
    }
}
