package dev.larder.map.checkpoint;

import dev.larder.log.FellBehindException;
import dev.larder.log.Log;
import dev.larder.log.LogReader;
import dev.larder.log.Position;
import dev.larder.log.random.LogRecords;
import dev.larder.map.entry.MapParts;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.format.PackedPositions;
import dev.larder.map.index.Index;
import dev.larder.map.index.IndexMemory;
import dev.larder.map.shared.IndexFile;
import dev.larder.map.shared.IndexFullException;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.CorruptException;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The load of an image by the first opening: an index without pages gets the pages of the image.
 *
 * <pre>
 *  a sound page                   copied; a word that leads below the first segment was replaced by one behind
 *                                 <i>replay</i>, or its entry removed: it is left out
 *  a damaged page                 empty; the log is read for its keys, from its first record to <i>replay</i>
 *  no image, or a damaged head    every page is empty, and the whole log is read
 * </pre>
 *
 * <p>Several threads copy all pages here. If memory runs out, the opening fails, and not a later call.
 */
public final class CheckpointLoad {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");
    private static final int THREADS_MAX = 8;

    /** Fewer pages are copied faster than a thread is started. */
    private static final int STEPS_FOR_THREAD = 128;

    private final Log log;
    private final LogRecords records;
    private final Storage storage;
    private final IndexFile.Opening opening;
    private final Index index;
    private final DamagedPages damaged;
    private final long limit;
    private boolean hasRejected;

    public CheckpointLoad(Log log, Storage storage, IndexFile.Opening opening, MapParts parts) {
        this(log, storage, opening, parts, Long.MAX_VALUE);
    }

    /** Creates a load that uses no image which leads to a given position or behind it. */
    public CheckpointLoad(Log log, Storage storage, IndexFile.Opening opening, MapParts parts, long limit) {
        this.limit = limit;
        this.log = log;
        this.records = parts.records();
        this.storage = storage;
        this.opening = opening;
        this.index = parts.index();
        this.damaged = new DamagedPages(log, parts);
    }

    /**
     * Loads the image; returns the position from which the log is to be read. Empty if no image can be used: then every page is
     * empty, and a warning gives the reason.
     *
     * @throws IndexFullException when there is no memory for it
     */
    public OptionalLong run() {
        try (Arena arena = Arena.ofShared()) {
            Optional<CheckpointReader> image = believed(arena).filter(this::isWithinLimit);
            if (image.isPresent()) {
                take(image.get());
            } else {
                index.makeEmpty();
            }
            return image.stream().mapToLong(CheckpointReader::replay).findFirst();
        }
    }

    /** Returns whether a page was damaged: then a new image is to be written. */
    public boolean metDamage() {
        return !damaged.areNone();
    }

    /**
     * Returns whether there is a file of an image that is not known to be one of this log. It must be removed before the log
     * grows: later, the log may have a record where the image ends, and then another opening would accept the image.
     */
    public boolean hasRejected() {
        return hasRejected;
    }

    private Optional<CheckpointReader> believed(Arena arena) {
        try {
            Optional<CheckpointReader> image = CheckpointReader.of(log.directory(), storage, arena);
            image.ifPresent(this::require);
            return image;
        } catch (LarderException e) {
            hasRejected = true;
            warn(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private static void warn(String reason) {
        LOGGER.log(System.Logger.Level.WARNING, "the opening builds the index anew from the whole log: " + reason);
    }

    private boolean isWithinLimit(CheckpointReader image) {
        boolean within = image.reach() <= limit;
        if (!within) {
            warn(log.directory() + ": the checkpoint points to " + Position.toString(image.reach())
                    + ", behind the restore point " + Position.toString(limit));
        }
        return within;
    }

    private void require(CheckpointReader image) {
        long end = log.endPosition();
        image.require(opening, end);
        if (image.reach() < end) {
            requireReach(image);
        }
    }

    /**
     * Fails unless the log still is the one that the image was made of, up to <i>reach</i>. After a loss of power the log may
     * have been cut before that, and continue in another segment.
     */
    private void requireReach(CheckpointReader image) {
        try (LogReader reader = log.reader()) {
            reader.moveTo(image.reach());
        } catch (FellBehindException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "the log begins after the end of the checkpoint", e);
        } catch (IllegalArgumentException e) {
            throw new CorruptException(
                    log.directory() + ": the checkpoint is of another log, as no record of this one begins where the"
                            + " checkpoint ends: " + e.getMessage(),
                    e);
        }
    }

    private void take(CheckpointReader image) {
        Words.raise(index.memory().memory(), IndexFileLayout.EMPTIED_TO, image.emptiedTo());
        if (!image.isEndless()) {
            index.expiring().noteBefore(log.endPosition());
        }
        AtomicInteger next = new AtomicInteger();
        AtomicLong out = new AtomicLong();
        int steps = (int) image.steps();
        int processors = Math.min(THREADS_MAX, Runtime.getRuntime().availableProcessors());
        ParallelWork.run("larder-map-image", Math.clamp(steps / STEPS_FOR_THREAD, 1, processors), () -> {
            for (int number = next.getAndIncrement(); number < steps; number = next.getAndIncrement()) {
                out.addAndGet(load(image, number));
            }
        });
        takeLive(image, out.get());
        damaged.makeAgain(image.replay());
    }

    /** Loads a page; returns how many of its entries are left out. */
    private long load(CheckpointReader image, int number) {
        long place = image.place(number);
        long at = IndexMemory.base(index.install(place));
        MemorySegment step = index.memory().memory().asSlice(at, IndexPageLayout.BYTES);
        if (!copy(image, number, step)) {
            step.fill((byte) 0);
            Words.setPlain(step, IndexPageLayout.PLACE, place);
            damaged.add(place, image.describe(number));
            return image.alive(number);
        }
        Words.setPlain(step, IndexPageLayout.CHECK, 0);
        return image.firstSegment() == records.firstSegment() ? 0 : leaveOut(image, new LoadedPage(step, 0));
    }

    /** Copies a page; returns whether the copy is as written, which is false if the file cannot be read. */
    private static boolean copy(CheckpointReader image, int number, MemorySegment to) {
        try {
            MemorySegment.copy(image.step(number), 0, to, 0, IndexPageLayout.BYTES);
            AccessErrors.deliver();
            return image.isSound(number, to);
        } catch (StorageException | InternalError e) {
            return false;
        }
    }

    private long leaveOut(CheckpointReader image, LoadedPage step) {
        PackedPositions thatTime = index.places().before(Position.segment(image.reach()));
        int first = index.places().first();
        return step.leaveOut(word -> Position.segment(thatTime.position(IndexWord.place(word))) < first);
    }

    /**
     * Takes over the number of live bytes. An image made while others wrote gives a little too many. For entries left out, the
     * average is taken. An image of an earlier release may give no number. A number that was uncertain when the image was made
     * stays so.
     */
    private void takeLive(CheckpointReader image, long out) {
        OptionalLong live = image.liveBytes();
        boolean asWritten = live.isPresent() && out == 0 && image.replay() == image.reach();
        index.live().add(live.isPresent() ? kept(image, live.getAsLong(), out) : records.usedBytes());
        if (!asWritten) {
            index.live().doubt(log.endPosition());
        } else if (image.apartFrom() != 0) {
            index.live().doubt(image.apartFrom(), image.apartBytes());
        }
    }

    private static long kept(CheckpointReader image, long live, long out) {
        long entries = image.entries();
        return out == 0 ? live : Math.round((double) live * (entries - out) / Math.max(1, entries));
    }
}
