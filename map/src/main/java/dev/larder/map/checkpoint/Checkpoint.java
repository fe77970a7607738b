package dev.larder.map.checkpoint;

import dev.larder.log.FlightEvents;
import dev.larder.log.Log;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.format.CheckpointLayout;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.index.Index;
import dev.larder.map.index.IndexWalk;
import dev.larder.map.index.PageWords;
import dev.larder.map.shared.Batches;
import dev.larder.map.shared.Epochs;
import dev.larder.map.shared.IndexFile;
import dev.larder.map.shared.LiveBytes;
import dev.larder.memory.Allocation;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Writes checkpoints: images of the index, from which an opening starts ({@link CheckpointLayout}).
 *
 * <p>An image contains every put that had returned when it was begun, and some later ones. An opening reads the log again from
 * <i>replay</i>. No word of the image leads behind <i>reach</i>, which was durable before the image got its name. The image is
 * written under another name, flushed, and renamed. So there is always a whole one, or none.
 */
public final class Checkpoint {

    private static final String MAKING = "map.checkpoint.tmp";

    private final Storage storage;
    private final LogOptions options;
    private final Log log;
    private final IndexFile.Opening opening;
    private final Batches batches;

    /** Whether this process has accepted the image, or written it. */
    private boolean isBelieved;

    private final SecureRandom salts = new SecureRandom();

    public Checkpoint(Log log, LogOptions options, IndexFile.Opening opening, Batches batches) {
        this.batches = batches;
        this.storage = HookedOptions.of(options).storage();
        this.options = options;
        this.log = log;
        this.opening = opening;
    }

    private Path path() {
        return log.directory().resolve(CheckpointLayout.FILE_NAME);
    }

    /** Records that the image was accepted when the map was opened. */
    public void believe() {
        isBelieved = true;
    }

    /** Removes the image, durably. The caller is the first process, and no other opens the map meanwhile. */
    public void remove() {
        storage.delete(path());
        storage.syncDirectory(log.directory());
    }

    /** Writes an image, without a condition. */
    public void write(Index index, Epochs epochs) {
        write(index, epochs, () -> true);
    }

    /**
     * Writes an image of an index that may be changing.
     *
     * @param wanted asked for each page: once it returns false, the image is given up
     * @return whether the image was written
     */
    public boolean write(Index index, Epochs epochs, BooleanSupplier wanted) {
        try {
            return make(index, epochs, wanted);
        } finally {
            storage.delete(log.directory().resolve(MAKING)); // by now it was renamed, or is useless and takes room
        }
    }

    private boolean make(Index index, Epochs epochs, BooleanSupplier wanted) {
        Optional<CheckpointEvent> event = FlightEvents.ifRecorded(CheckpointEvent::start);
        int first = index.places().first();
        long end = log.endPosition();
        epochs.awaitOthers(); // records claimed before are linked, or padding, or of a left batch, once
        // these threads have left
        long replay = batches.replayFrom(end);
        long salt = salts.nextLong();
        Path made = log.directory().resolve(MAKING);
        storage.delete(made);
        try (StorageFile file = storage.create(made, options.access().files())
                .orElseThrow(() -> new StorageException(made + ": another process makes a checkpoint"))) {
            PageRows rows = writeSteps(file, index, epochs, replay, salt, wanted);
            if (!wanted.getAsBoolean()) {
                return false;
            }
            long check = rows.write(file);
            writeHeader(file, replay, salt, first, rows.count(), index, check);
            event.ifPresent(told -> told.bytes = CheckpointLayout.bytes(rows.count()));
            HookedOptions.of(options).failpoints().reached("checkpoint.written");
            file.forceAll();
        }
        HookedOptions.of(options).failpoints().reached("checkpoint.forced");
        storage.rename(made, path());
        HookedOptions.of(options).failpoints().reached("checkpoint.renamed");
        storage.syncDirectory(log.directory());
        isBelieved = true;
        event.ifPresent(told -> told.finish(log.directory()));
        return true;
    }

    /** Writes all pages, each in its state when the walk reaches it, as long as the image is wanted. */
    private static PageRows writeSteps(
            StorageFile file, Index index, Epochs epochs, long replay, long salt, BooleanSupplier wanted) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment staged = arena.allocate(IndexPageLayout.BYTES, 8);
            IndexWalk walk = new IndexWalk(index);
            PageRows rows = new PageRows();
            long reserved = index.steps();
            file.allocate(CheckpointLayout.step(reserved), Allocation.RESERVE);
            while (wanted.getAsBoolean() && copyNext(walk, staged, epochs, replay, salt)) {
                if (rows.count() >= reserved) { // the index has grown meanwhile
                    file.allocate(CheckpointLayout.step(rows.count() + 1), Allocation.RESERVE);
                }
                file.write(staged, CheckpointLayout.step(rows.count()));
                rows.add(Words.getPlain(staged, IndexPageLayout.PLACE), Words.getPlain(staged, IndexPageLayout.ALIVE));
            }
            return rows;
        }
    }

    private static boolean copyNext(IndexWalk walk, MemorySegment staged, Epochs epochs, long replay, long salt) {
        int line = epochs.pinAnyway();
        try {
            return walk.next((step, place) -> copy(step, place, staged, replay, salt));
        } finally {
            epochs.unpin(line);
        }
    }

    private static void copy(PageWords step, long place, MemorySegment staged, long replay, long salt) {
        staged.fill((byte) 0);
        step.copyTo(staged, place);
        Words.setPlain(staged, IndexPageLayout.CHECK, CheckpointLayout.stepCheck(staged, 0, replay, salt));
    }

    /**
     * Writes the header. The log is synced here: the pages may lead to records that came while they were written. The counts
     * are read before the sync, so every record that they count lies before <i>reach</i>. Whether some bytes are counted apart
     * is read first: if that ends meanwhile, the sum is the exact one.
     */
    private void writeHeader(
            StorageFile file, long replay, long salt, int first, long steps, Index index, long rowsCheck) {
        LiveBytes live = index.live();
        long apartFrom = live.apartFrom();
        long apartBytes = live.apartBytes();
        long liveBytes = live.get();
        long emptied = Words.getVolatile(index.memory().memory(), IndexFileLayout.EMPTIED_TO); // after the walk
        boolean expiring = index.mayExpire(); // after the walk, too: a deadline is noted before its record is linked
        try (Arena arena = Arena.ofShared()) {
            MemorySegment header = arena.allocate(CheckpointLayout.STEPS_AT, 8);
            UUID identity = opening.log();
            Words.setPlain(header, CheckpointLayout.IDENTITY_HIGH, identity.getMostSignificantBits());
            Words.setPlain(header, CheckpointLayout.IDENTITY_LOW, identity.getLeastSignificantBits());
            Words.setPlain(header, CheckpointLayout.SEED, opening.seed());
            Words.setPlain(header, CheckpointLayout.REPLAY, replay);
            Words.setPlain(header, CheckpointLayout.REACH, log.sync());
            Words.setPlain(header, CheckpointLayout.STEPS, steps);
            Words.setPlain(header, CheckpointLayout.LIVE, liveBytes);
            Words.setPlain(header, CheckpointLayout.LIVE_KNOWN, 1);
            Words.setPlain(header, CheckpointLayout.APART_FROM, apartFrom);
            Words.setPlain(header, CheckpointLayout.APART_BYTES, apartBytes);
            Words.setPlain(header, CheckpointLayout.EMPTIED_TO, emptied);
            Words.setPlain(header, CheckpointLayout.ENDLESS, expiring ? 0 : 1);
            Words.setPlain(header, CheckpointLayout.FIRST, first);
            Words.setPlain(header, CheckpointLayout.ROWS_CHECK, rowsCheck);
            Words.setPlain(header, CheckpointLayout.SALT, salt);
            FileHeader.write(
                    header,
                    CheckpointLayout.FORMAT,
                    CheckpointLayout.VERSION,
                    CheckpointLayout.HEADER_BYTES,
                    Features.NONE);
            file.write(header, 0);
        }
    }

    /** Returns the position from which the log would be read, according to the present image; 0 if there is none of this log. */
    public long replay() {
        try (Arena arena = Arena.ofShared()) {
            return CheckpointReader.of(log.directory(), storage, arena)
                    .filter(image -> image.isOf(opening.log(), log.endPosition()))
                    .map(CheckpointReader::replay)
                    .orElse(0L);
        } catch (LarderException e) {
            return 0;
        }
    }

    /**
     * Returns whether the image exists, was accepted or written by this process, and no record came to the log since it was
     * written.
     */
    public boolean isCurrent() {
        try (Arena arena = Arena.ofShared()) {
            long end = log.endPosition();
            return isBelieved
                    && CheckpointReader.of(log.directory(), storage, arena)
                            .filter(image -> image.replay() == end && image.reach() == end)
                            .isPresent();
        } catch (LarderException e) {
            return false;
        }
    }
}
