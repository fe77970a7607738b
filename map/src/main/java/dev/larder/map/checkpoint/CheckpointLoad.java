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
 * What the first opening takes of the image: an index without steps becomes that which the image shows.
 *
 * <pre>
 *  a sound step                   copied; a word that leads below the first segment was replaced by one behind
 *                                 <i>replay</i>, or its entry removed: it is left out
 *  a damaged one                  empty; the log is read for its keys, from its first record to <i>replay</i>
 *  no image, or a damaged head    every step is empty, and the whole log is read
 * </pre>
 *
 * <p>All steps are copied here, by several threads. What finds no memory fails the opening, and no call that comes later.
 */
public final class CheckpointLoad {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");
    private static final int THREADS_MAX = 8;

    /** Fewer steps are copied faster than a thread is started. */
    private static final int STEPS_FOR_THREAD = 128;

    private final Log log;
    private final LogRecords records;
    private final Storage storage;
    private final IndexFile.Opening opening;
    private final Index index;
    private final DamagedPages damaged;
    private final long end;

    public CheckpointLoad(Log log, Storage storage, IndexFile.Opening opening, MapParts parts) {
        this(log, storage, opening, parts, log.endPosition());
    }

    /** One that believes no image which leads to a position or behind it. */
    public CheckpointLoad(Log log, Storage storage, IndexFile.Opening opening, MapParts parts, long end) {
        this.end = end;
        this.log = log;
        this.records = parts.records();
        this.storage = storage;
        this.opening = opening;
        this.index = parts.index();
        this.damaged = new DamagedPages(log, parts);
    }

    /**
     * Takes it; returns from which position on the log is to be read. Empty where there is none that can be believed: then
     * every step is empty, and a warning says why.
     *
     * @throws IndexFullException when there is no memory for it
     */
    public OptionalLong run() {
        try (Arena arena = Arena.ofShared()) {
            Optional<CheckpointReader> image = believed(arena);
            if (image.isPresent()) {
                take(image.get());
            } else {
                index.makeEmpty();
            }
            return image.stream().mapToLong(CheckpointReader::replay).findFirst();
        }
    }

    /** Returns whether a step was damaged: another image is to be written. */
    public boolean metDamage() {
        return !damaged.areNone();
    }

    private Optional<CheckpointReader> believed(Arena arena) {
        try {
            Optional<CheckpointReader> image = CheckpointReader.of(log.directory(), storage, arena);
            image.ifPresent(this::require);
            return image;
        } catch (LarderException e) {
            LOGGER.log(System.Logger.Level.WARNING, "the index is built anew from the whole log: " + e.getMessage());
            return Optional.empty();
        }
    }

    private void require(CheckpointReader image) {
        image.require(opening, end);
        if (image.reach() < log.endPosition()) {
            requireReach(image);
        }
    }

    /**
     * Fails unless the log still is what the image was made of, up to where that leads: after a loss of power it may have been cut
     * before that, and goes on in another segment.
     */
    private void requireReach(CheckpointReader image) {
        try (LogReader reader = log.reader()) {
            reader.moveTo(image.reach());
        } catch (FellBehindException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "the log begins behind where the image leads to", e);
        }
    }

    private void take(CheckpointReader image) {
        Words.raise(index.memory().memory(), IndexFileLayout.EMPTIED_TO, image.emptiedTo());
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

    /** Loads a step; returns how many of its entries are left out. */
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

    /** Returns whether the copy is what was written; of a file that cannot be read it is not. */
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
     * Takes over how much is alive. An image that was made beside writers says a little too much; of what was left out the
     * average is taken; one of an earlier release may say nothing. What was in doubt when it was made still is.
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
