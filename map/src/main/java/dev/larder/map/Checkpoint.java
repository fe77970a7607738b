package dev.larder.map;

import dev.larder.log.Log;
import dev.larder.log.LogOptions;
import dev.larder.log.LogRecords;
import dev.larder.log.Position;
import dev.larder.memory.Allocation;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Crc32c;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.TruncatedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * An image of the index, {@code map.checkpoint}, from which an opening goes on.
 *
 * <pre>
 * 0        4096      69632
 * | header | step    | step    | ...        each as it is in memory, not frozen, with its check
 * </pre>
 *
 * Every put that had returned when the image was begun is in it, and some later ones are. The log is read again from
 * <i>replay</i>; no word leads behind <i>reach</i>, which was durable before the image had its name. It is written under
 * another name, flushed, and renamed: there is always a whole one, or none.
 */
final class Checkpoint {

    static final String FILE_NAME = "map.checkpoint";

    /** The layout of the format's own header. */
    static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    MemoryLayout.paddingLayout(FileHeader.COMMON_BYTES).withName("common header"),
                    Words.LONG.withName("identity high"),
                    Words.LONG.withName("identity low"),
                    Words.LONG.withName("seed"),
                    Words.LONG.withName("replay"),
                    Words.LONG.withName("reach"),
                    Words.LONG.withName("steps"),
                    Words.LONG.withName("live bytes"),
                    MemoryLayout.paddingLayout(8).withName("reserved"))
            .withName("checkpoint header");

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");
    static final String FORMAT = "MAPCKP";
    static final int VERSION = 1;
    private static final int HEADER_BYTES = (int) LAYOUT.byteSize();
    static final long STEPS_AT = 4096;
    private static final String MAKING = "map.checkpoint.tmp";
    static final long IDENTITY_HIGH = offset("identity high");
    static final long IDENTITY_LOW = offset("identity low");
    static final long SEED = offset("seed");
    static final long REPLAY = offset("replay");
    static final long REACH = offset("reach");
    static final long STEPS = offset("steps");
    static final long LIVE = offset("live bytes");

    private final Path directory;
    private final Storage storage;
    private final LogOptions options;
    private final Log log;
    private final UUID identity;
    private final long seed;

    Checkpoint(Log log, LogOptions options, long seed) {
        this.directory = log.directory();
        this.storage = options.doors().storage();
        this.options = options;
        this.log = log;
        this.identity = log.info().identity();
        this.seed = seed;
    }

    private Path path() {
        return directory.resolve(FILE_NAME);
    }

    private static long offset(String field) {
        return LAYOUT.byteOffset(PathElement.groupElement(field));
    }

    /** Writes an image of an index that may be changing. */
    void write(Index index, Epochs epochs) {
        long replay = log.endPosition();
        epochs.awaitOthers(); // what was claimed before is linked, or padding, when they have left
        Path made = directory.resolve(MAKING);
        storage.delete(made);
        try (StorageFile file = storage.create(made, options.access().files())
                .orElseThrow(() -> new StorageException(made + ": another process makes a checkpoint"))) {
            long steps = writeSteps(file, index, epochs);
            long live = index.live().get();
            writeHeader(file, replay, log.sync(), steps, live);
            file.forceAll();
        }
        storage.rename(made, path());
        storage.syncDirectory(directory);
    }

    /** Writes all steps, each as it stands when the walk comes to it; returns how many. */
    private long writeSteps(StorageFile file, Index index, Epochs epochs) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment staged = arena.allocate(IndexStepLayout.BYTES, 8);
            IndexWalk walk = new IndexWalk(index);
            long steps = 0;
            while (copyNext(walk, staged, epochs)) {
                long at = STEPS_AT + steps * IndexStepLayout.BYTES;
                file.allocate(at + IndexStepLayout.BYTES, Allocation.RESERVE);
                file.write(staged, at);
                steps++;
            }
            return steps;
        }
    }

    private static boolean copyNext(IndexWalk walk, MemorySegment staged, Epochs epochs) {
        int line = epochs.pinAnyway();
        try {
            return walk.next((step, place) -> copy(step, place, staged));
        } finally {
            epochs.unpin(line);
        }
    }

    private static void copy(FrozenStep step, long place, MemorySegment staged) {
        staged.fill((byte) 0);
        NewStep copy = new NewStep(staged, 0, place);
        step.forEach((group, word) -> {
            if (IndexWord.isOfKey(word)) {
                copy.add(group, word);
            }
        });
        Words.setPlain(staged, IndexStepLayout.CHECK, check(staged, 0));
    }

    /** Returns the check of a step whose field for it is 0. */
    static long check(MemorySegment memory, long base) {
        Crc32c crc = new Crc32c(memory);
        crc.start();
        crc.add(base, IndexStepLayout.CHECK);
        crc.addZeros(Long.BYTES);
        long behind = IndexStepLayout.CHECK + Long.BYTES;
        crc.add(base + behind, IndexStepLayout.BYTES - behind);
        return (1L << 32) | Integer.toUnsignedLong(crc.value());
    }

    private void writeHeader(StorageFile file, long replay, long reach, long steps, long live) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment header = arena.allocate(STEPS_AT, 8);
            Words.setPlain(header, IDENTITY_HIGH, identity.getMostSignificantBits());
            Words.setPlain(header, IDENTITY_LOW, identity.getLeastSignificantBits());
            Words.setPlain(header, SEED, seed);
            Words.setPlain(header, REPLAY, replay);
            Words.setPlain(header, REACH, reach);
            Words.setPlain(header, STEPS, steps);
            Words.setPlain(header, LIVE, live);
            FileHeader.write(header, FORMAT, VERSION, HEADER_BYTES, Features.NONE);
            file.write(header, 0);
        }
    }

    /**
     * Loads the image into an index without steps. Empty, and every step of the index is empty, where there is none that
     * can be believed: then a warning says why, and the log is replayed from its first record.
     *
     * @return from which position on the log is to be replayed; empty, from its first record
     */
    OptionalLong load(Index index, LogRecords records) {
        Optional<StorageFile> file = storage.open(path(), false);
        if (file.isEmpty()) {
            index.makeEmpty();
            return OptionalLong.empty();
        }
        try (StorageFile open = file.get();
                Arena arena = Arena.ofShared()) {
            requireSize(open.sizeBytes());
            MemorySegment image = open.map(0, open.sizeBytes(), false, arena);
            check(image);
            long out = loadSteps(image, index);
            loadLive(image, index, records, out);
            long replay = Words.getPlain(image, REPLAY);
            return Position.segment(replay) < records.firstSegment() ? OptionalLong.empty() : OptionalLong.of(replay);
        } catch (LarderException e) {
            LOGGER.log(System.Logger.Level.WARNING, "the index is built anew from the whole log: " + e.getMessage());
            index.makeEmpty();
            return OptionalLong.empty();
        }
    }

    private void requireSize(long bytes) {
        if (bytes < STEPS_AT) {
            throw new TruncatedException(path() + ": checkpoint of " + bytes + " bytes, least is " + STEPS_AT);
        }
    }

    /** Fails unless the whole image can be believed, before anything of it is taken. */
    private void check(MemorySegment image) {
        FileHeader.read(image, path(), FORMAT, VERSION, Features.NONE, false);
        UUID found = new UUID(Words.getPlain(image, IDENTITY_HIGH), Words.getPlain(image, IDENTITY_LOW));
        if (!found.equals(identity) || Words.getPlain(image, SEED) != seed) {
            throw damaged("of log " + found + " with another seed, expected " + identity);
        }
        long reach = Words.getPlain(image, REACH);
        if (reach > log.endPosition()) {
            throw damaged("leads to position " + Position.toString(reach) + ", the log ends at "
                    + Position.toString(log.endPosition()));
        }
        checkSteps(image, Words.getPlain(image, STEPS));
    }

    private void checkSteps(MemorySegment image, long steps) {
        if (steps < Placement.PARTITIONS || STEPS_AT + steps * IndexStepLayout.BYTES != image.byteSize()) {
            throw damaged("of " + steps + " steps in " + image.byteSize() + " bytes");
        }
        long covered = 0;
        for (long step = 0; step < steps; step++) {
            long base = STEPS_AT + step * IndexStepLayout.BYTES;
            if (Words.getPlain(image, base + IndexStepLayout.CHECK) != check(image, base)) {
                throw damaged("step " + step + " at offset " + base + " fails its check");
            }
            covered += 1L << (Directory.DEPTH_MAX - IndexStepLayout.depth(Words.getPlain(image, base)));
        }
        if (covered != (long) Placement.PARTITIONS << Directory.DEPTH_MAX) {
            throw damaged("its steps are not those of a whole index");
        }
    }

    /**
     * Loads the steps. A word that leads below the first segment was replaced by one behind <i>replay</i>, or its entry
     * removed: it is left out. Returns how many entries are.
     */
    private static long loadSteps(MemorySegment image, Index index) {
        long steps = Words.getPlain(image, STEPS);
        Places thatTime = index.places().before(Position.segment(Words.getPlain(image, REACH)));
        int first = index.places().first();
        long out = 0;
        for (long step = 0; step < steps; step++) {
            long from = STEPS_AT + step * IndexStepLayout.BYTES;
            int number = index.install(Words.getPlain(image, from + IndexStepLayout.PLACE));
            long to = IndexMemory.base(number);
            MemorySegment memory = index.memory().memory(number);
            MemorySegment.copy(image, from, memory, to, IndexStepLayout.BYTES);
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
    private void loadLive(MemorySegment image, Index index, LogRecords records, long out) {
        long live = Words.getPlain(image, LIVE);
        long kept = index.count();
        boolean exact = live > 0 && out == 0 && Words.getPlain(image, REPLAY) == Words.getPlain(image, REACH);
        index.live().add(live == 0 ? records.usedBytes() : Math.round((double) live * kept / Math.max(1, kept + out)));
        if (!exact) {
            index.live().doubt(log.endPosition());
        }
    }

    private LarderException damaged(String what) {
        return new CorruptException(path() + ": checkpoint " + what);
    }
}
