package dev.larder.map;

import dev.larder.log.LogInfo;
import dev.larder.log.Position;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.TruncatedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The image of an index, {@code map.checkpoint}, as who has not opened the map reads it. A file of that name is never
 * changed, so what was mapped stays as it is when the next one takes its name.
 */
final class CheckpointImage {

    private static final long ABSENT = -1;

    private final Path path;
    private final MemorySegment image;
    private final long steps;
    private final Map<Long, Long> places = new HashMap<>(); // of a step -> where it lies

    private CheckpointImage(Path path, MemorySegment image) {
        this.path = path;
        this.image = image;
        this.steps = Words.getPlain(image, Checkpoint.STEPS);
    }

    /**
     * Maps the image in a directory; empty where there is none.
     *
     * @throws dev.larder.memory.LarderException when its header is damaged, or its length is another
     */
    static Optional<CheckpointImage> of(Path directory, Storage storage, Arena arena) {
        Path path = directory.resolve(Checkpoint.FILE_NAME);
        Optional<StorageFile> file = storage.open(path, false);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        try (StorageFile open = file.get()) {
            return Optional.of(of(path, open, arena));
        }
    }

    private static CheckpointImage of(Path path, StorageFile file, Arena arena) {
        if (file.sizeBytes() < Checkpoint.STEPS_AT) {
            throw new TruncatedException(
                    path + ": checkpoint of " + file.sizeBytes() + " bytes, least is " + Checkpoint.STEPS_AT);
        }
        MemorySegment image = file.map(0, file.sizeBytes(), false, arena);
        FileHeader.read(image, path, Checkpoint.FORMAT, Checkpoint.VERSION, Features.NONE, false);
        CheckpointImage read = new CheckpointImage(path, image);
        long expected = Checkpoint.STEPS_AT + read.steps * IndexStepLayout.BYTES;
        if (read.steps < 0 || expected != image.byteSize()) {
            throw new CorruptException(path + ": checkpoint of " + read.steps + " steps in " + image.byteSize()
                    + " bytes, expected " + expected);
        }
        return read;
    }

    /** Returns whether it is an image of the index of this log, and leads nowhere behind the log's end. */
    boolean isOf(LogInfo log) {
        UUID identity = new UUID(
                Words.getPlain(image, Checkpoint.IDENTITY_HIGH), Words.getPlain(image, Checkpoint.IDENTITY_LOW));
        return identity.equals(log.identity()) && Words.getPlain(image, Checkpoint.REACH) <= log.endPosition();
    }

    long seed() {
        return Words.getPlain(image, Checkpoint.SEED);
    }

    long replay() {
        return Words.getPlain(image, Checkpoint.REPLAY);
    }

    /** Returns what the records of the entries take in the log; empty where the image does not say: with 0 there. */
    OptionalLong liveBytes() {
        long live = Words.getPlain(image, Checkpoint.LIVE);
        return live == 0 ? OptionalLong.empty() : OptionalLong.of(live);
    }

    /** Returns how its words are completed: to the segment of its end, or the next below. */
    Places places(long largestSegmentBytes) {
        int last = Position.segment(Words.getPlain(image, Checkpoint.REACH));
        int room = new Places(largestSegmentBytes, 0).segmentsMax();
        return new Places(largestSegmentBytes, last - room + 1);
    }

    long bytes() {
        return steps * IndexStepLayout.BYTES;
    }

    private static long base(long step) {
        return Checkpoint.STEPS_AT + step * IndexStepLayout.BYTES;
    }

    /** Returns how many entries the steps say they hold. */
    long entries() {
        long entries = 0;
        for (long step = 0; step < steps; step++) {
            entries += Words.getPlain(image, base(step) + IndexStepLayout.ALIVE);
        }
        return entries;
    }

    /** Checks every step, tells what is damaged, and learns where the steps that are sound lie. */
    void check(Consumer<String> problems) {
        long covered = 0;
        for (long step = 0; step < steps; step++) {
            long base = base(step);
            if (Words.getPlain(image, base + IndexStepLayout.CHECK) != Checkpoint.check(image, base)) {
                problems.accept(path + ": step " + step + " at offset " + base + " fails its check");
            } else {
                places.put(Words.getPlain(image, base), base);
            }
            covered += 1L << (Directory.DEPTH_MAX - depth(base));
        }
        if (covered != (long) Placement.PARTITIONS << Directory.DEPTH_MAX) {
            problems.accept(path + ": the steps, " + steps + ", are not those of a whole index");
        }
    }

    /** A step whose place is damaged counts as the smallest. */
    private int depth(long base) {
        int depth = IndexStepLayout.depth(Words.getPlain(image, base));
        return Math.min(depth, Directory.DEPTH_MAX);
    }

    /** Hands over all words that the sound steps have. */
    void forEach(LongConsumer words) {
        places.values().forEach(base -> new FrozenStep(image, base).forEach((group, word) -> words.accept(word)));
    }

    /** Hands over the words with the tag of a hash, where a look for it would come; returns false where the step is damaged. */
    boolean forEachOf(long hash, LongConsumer words) {
        long base = base(hash, Placement.partition(hash));
        if (base == ABSENT) {
            return false;
        }
        int tag = Placement.tag(hash);
        new FrozenStep(image, base).forEachOf(Placement.group(hash), (group, word) -> {
            if (IndexWord.tag(word) == tag) {
                words.accept(word);
            }
        });
        return true;
    }

    private long base(long hash, int partition) {
        for (int depth = 0; depth <= Directory.DEPTH_MAX; depth++) {
            Long base = places.get(IndexStepLayout.place(partition, depth, Placement.entry(hash, depth)));
            if (base != null) {
                return base;
            }
        }
        return ABSENT;
    }
}
