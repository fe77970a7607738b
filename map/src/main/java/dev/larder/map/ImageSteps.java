package dev.larder.map;

import static dev.larder.map.IndexFileLayout.IMAGE_REPLAY;
import static dev.larder.map.IndexFileLayout.IMAGE_ROWS;
import static dev.larder.map.IndexFileLayout.IMAGE_STEPS;

import dev.larder.log.FellBehindException;
import dev.larder.log.Log;
import dev.larder.log.LogDoors;
import dev.larder.log.Steps;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The steps of the index that still lie in the image from which the map was opened: each comes into the memory of the index
 * when somebody looks for one of its keys.
 *
 * <pre>
 *  directory    in the image, number n   ->   step s              one compare-and-set, as of a step that is rebuilt
 *
 *  load         prove the step of the image   take a new one   copy   set the word   USED     lost: give it back
 * </pre>
 *
 * <p>Nothing changes in the image, so it does not matter who loads a step, or how many try. All that the cleaner takes away
 * it looks for before: so no word of a step that lies here leads to what is gone, and a step that is damaged can be made
 * again from the log. The file is replaced only when no step lies in it any more; who comes before finds it whole.
 */
final class ImageSteps {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");
    private final Log log;
    private final Storage storage;
    private final Places places;
    private final long seed;
    private final MemorySegment shared;
    private final Directory directory;
    private final IndexMemory memory;
    private final Epochs changes;
    private final Steps steps;
    private final Object[] locks = new Object[Epochs.LOCKS];
    private volatile @Nullable CheckpointImage image;
    private volatile boolean damaged;

    ImageSteps(MapFiles files, LogDoors doors, Places places, Directory directory, IndexMemory memory, Epochs changes) {
        this.log = files.log();
        this.storage = doors.storage();
        this.steps = doors.steps();
        this.places = places;
        this.seed = files.map().seed();
        this.shared = files.index().memory();
        this.directory = directory;
        this.memory = memory;
        this.changes = changes;
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new Object();
        }
    }

    /** Leads to every step of an image, in an index without steps. Nobody else has the index yet. */
    void leadTo(CheckpointImage whole) {
        image = whole;
        Words.setPlain(shared, IMAGE_REPLAY, whole.replay());
        Words.setPlain(shared, IMAGE_ROWS, whole.rowsCheck());
        Words.setPlain(shared, IMAGE_STEPS, whole.steps());
        for (int step = 0; step < whole.steps(); step++) {
            long place = whole.place(step);
            int partition = IndexStepLayout.partition(place);
            int depth = IndexStepLayout.depth(place);
            directory.deepen(partition, depth);
            directory.compareAndSet(partition, IndexStepLayout.prefix(place), 0, Directory.inImage(step, depth));
        }
    }

    /** Loads the step that a word of the directory leads to; after it another word stands there. */
    void load(int partition, int entry, long word) {
        int lock = Directory.step(word) % locks.length;
        synchronized (locks[lock]) {
            MemorySegment source = source(partition, entry, word);
            if (source != null) {
                int line = changes.pinOf(lock);
                try {
                    load(partition, entry, word, source);
                } finally {
                    changes.unpin(line);
                }
            }
        }
    }

    /** A step is its maker's alone until it stands in the directory: nobody takes it away from a process that lives. */
    private void load(int partition, int entry, long word, MemorySegment source) {
        int step = memory.allocate();
        copy(source, step);
        steps.reached("image.copied");
        if (directory.compareAndSet(partition, entry, word, Directory.next(word, step, Directory.depth(word)))) {
            steps.reached("image.loaded");
            memory.use(step);
            Words.getAndAdd(shared, IMAGE_STEPS, -1);
        } else {
            memory.giveBack(step); // another process was faster
        }
    }

    /** Word by word: who still looks at the step that this one was before must find whole ones. */
    private void copy(MemorySegment source, int step) {
        MemorySegment to = memory.memory(step);
        long base = IndexMemory.base(step);
        for (long at = 0; at < IndexStepLayout.BYTES; at += Long.BYTES) {
            Words.setOpaque(to, base + at, at == IndexStepLayout.CHECK ? 0 : Words.getPlain(source, at));
        }
    }

    /**
     * Returns the bytes of a step that lies in the image: of the image, or made again where that is damaged; null where it
     * is in the index by now. The word is looked at after the image: while it stands, nobody has replaced the file.
     */
    @Nullable
    MemorySegment source(int partition, int entry, long word) {
        int number = Directory.step(word);
        CheckpointImage from = image();
        if (directory.get(partition, entry) != word) {
            return null;
        }
        if (from != null) {
            MemorySegment step = soundStep(from, number);
            if (step != null) {
                return step;
            }
        }
        damaged = true;
        LOGGER.log(System.Logger.Level.WARNING, describe(from, number) + ": made again from the whole log");
        return madeAgain(IndexStepLayout.place(partition, Directory.depth(word), entry));
    }

    /** The cleaner may drop a segment meanwhile, in which there is nothing of the step then. */
    private MemorySegment madeAgain(long place) {
        while (true) {
            try {
                return new StepReplay(log, places, seed, place).run(Words.getAcquire(shared, IMAGE_REPLAY));
            } catch (FellBehindException e) {
                // begin with the segment that is the first one now
            }
        }
    }

    /** Returns a step that is what was written; else null: a file that cannot be read is damaged, too. */
    private static @Nullable MemorySegment soundStep(CheckpointImage from, int number) {
        try {
            MemorySegment step = from.step(number);
            boolean sound = from.isSound(number, step);
            AccessErrors.deliver();
            return sound ? step : null;
        } catch (StorageException | InternalError e) {
            return null;
        }
    }

    private String describe(@Nullable CheckpointImage from, int number) {
        return from == null
                ? log.directory().resolve(CheckpointLayout.FILE_NAME) + " is not what the map was opened from; step "
                        + number
                : from.describe(number) + " fails its check";
    }

    /** Returns the image that the map was opened from; null where it is there no more, though nobody may replace it. */
    private @Nullable CheckpointImage image() {
        CheckpointImage known = image;
        if (known == null) {
            known = find();
            image = known;
        }
        return known;
    }

    private @Nullable CheckpointImage find() {
        try {
            CheckpointImage found =
                    CheckpointImage.of(log.directory(), storage, Arena.ofAuto()).orElse(null);
            boolean same = found != null && found.rowsCheck() == Words.getAcquire(shared, IMAGE_ROWS);
            return same ? found : null;
        } catch (LarderException e) {
            LOGGER.log(System.Logger.Level.WARNING, String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** Returns how many entries the step has that an entry of the directory leads to. */
    long alive(int partition, int entry) {
        long word = directory.get(partition, entry);
        while (Directory.isInImage(word)) {
            CheckpointImage from = image();
            if (from != null && directory.get(partition, entry) == word) {
                return from.alive(Directory.step(word));
            }
            load(partition, entry, word);
            word = directory.get(partition, entry);
        }
        return Directory.isEmpty(word) ? 0 : directory.alive(Directory.step(word));
    }

    /** Loads all steps that are left: the image may be replaced then. */
    void loadAll() {
        if (Words.getAcquire(shared, IMAGE_STEPS) > 0) {
            directory.forEach((partition, entry, word) -> {
                if (Directory.isInImage(word)) {
                    load(partition, entry, word);
                }
            });
            Words.setRelease(shared, IMAGE_STEPS, 0); // whoever died after he set a word has not counted it
        }
        leave();
    }

    /** Unmaps the image when no step lies in it any more; soon, by the collector. */
    void leave() {
        if (image != null && Words.getAcquire(shared, IMAGE_STEPS) <= 0) {
            image = null;
        }
    }

    /** Returns whether this process has met a step that was damaged. */
    boolean wereDamaged() {
        return damaged;
    }
}
