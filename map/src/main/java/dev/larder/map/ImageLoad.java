package dev.larder.map;

import dev.larder.log.FellBehindException;
import dev.larder.log.Log;
import dev.larder.log.LogReader;
import dev.larder.log.LogRecords;
import dev.larder.log.Position;
import dev.larder.memory.CorruptException;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the first opening takes of the image: an index without steps becomes that which the image shows.
 *
 * <pre>
 *  no segment was dropped since   the index leads to the steps in the image; each is loaded when it is looked for
 *  else, or where a file in use   every step is loaded; a word that leads below the first segment was replaced by one
 *  cannot be replaced             behind <i>replay</i>, or its entry removed: it is left out
 *  no image, or a damaged one     every step is empty, and the whole log is read
 * </pre>
 */
final class ImageLoad {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");

    private final Log log;
    private final LogRecords records;
    private final Storage storage;
    private final IndexFile.Opening opening;
    private final Index index;
    private final ImageSteps steps;

    ImageLoad(Log log, LogRecords records, Storage storage, IndexFile.Opening opening, Index index, ImageSteps steps) {
        this.log = log;
        this.records = records;
        this.storage = storage;
        this.opening = opening;
        this.index = index;
        this.steps = steps;
    }

    /**
     * Takes it; returns from which position on the log is to be read. Empty where there is none that can be believed: then
     * every step is empty, and a warning says why.
     */
    OptionalLong run() {
        OptionalLong replay = OptionalLong.empty();
        try {
            replay = storage.replacesOpenFiles() ? take(Arena.ofAuto()) : takeAndUnmap();
        } catch (LarderException e) {
            LOGGER.log(System.Logger.Level.WARNING, "the index is built anew from the whole log: " + e.getMessage());
        }
        if (replay.isEmpty()) {
            index.makeEmpty();
        }
        return replay;
    }

    private OptionalLong takeAndUnmap() {
        try (Arena arena = Arena.ofShared()) {
            return take(arena);
        }
    }

    private OptionalLong take(Arena arena) {
        Optional<CheckpointImage> image = CheckpointImage.of(log.directory(), storage, arena);
        image.ifPresent(this::take);
        return image.stream().mapToLong(CheckpointImage::replay).findFirst();
    }

    private void take(CheckpointImage image) {
        image.require(opening, log.endPosition());
        if (image.reach() < log.endPosition()) {
            requireReach(image);
        }
        if (image.firstSegment() == records.firstSegment() && storage.replacesOpenFiles()) {
            steps.leadTo(image);
            takeLive(image, 0);
        } else {
            requireSteps(image);
            takeLive(image, loadAll(image));
        }
    }

    /**
     * Fails unless the log still is what the image was made of, up to where that leads: after a loss of power it may have been cut
     * before that, and goes on in another segment.
     */
    private void requireReach(CheckpointImage image) {
        try (LogReader reader = log.reader()) {
            reader.moveTo(image.reach());
        } catch (FellBehindException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "the log begins behind where the image leads to", e);
        }
    }

    /** Fails unless every step can be believed, before any of them is taken. */
    private static void requireSteps(CheckpointImage image) {
        for (long number = 0; number < image.steps(); number++) {
            if (!image.isSound(number, image.step(number))) {
                throw new CorruptException(image.describe(number) + " fails its check");
            }
        }
    }

    /** Loads the steps; returns how many entries are left out. */
    private long loadAll(CheckpointImage image) {
        Places thatTime = index.places().before(Position.segment(image.reach()));
        int first = index.places().first();
        long out = 0;
        for (long number = 0; number < image.steps(); number++) {
            int step = index.install(image.place(number));
            long to = IndexMemory.base(step);
            MemorySegment memory = index.memory().memory(step);
            MemorySegment.copy(image.step(number), 0, memory, to, IndexStepLayout.BYTES);
            Words.setPlain(memory, to + IndexStepLayout.CHECK, 0);
            out += new LoadedStep(memory, to)
                    .leaveOut(word -> Position.segment(thatTime.position(IndexWord.place(word))) < first);
        }
        return out;
    }

    /**
     * Takes over how much is alive. An image that was made beside writers says a little too much; of what was left out the
     * average is taken; one of an earlier release says nothing.
     */
    private void takeLive(CheckpointImage image, long out) {
        long live = image.liveBytes().orElse(0);
        long kept = image.entries() - out;
        boolean exact = live > 0 && out == 0 && image.replay() == image.reach();
        index.live().add(live == 0 ? records.usedBytes() : Math.round((double) live * kept / Math.max(1, kept + out)));
        if (!exact) {
            index.live().doubt(log.endPosition());
        }
    }
}
