package dev.larder.map;

import dev.larder.log.FellBehindException;
import dev.larder.log.Log;
import dev.larder.log.LogReader;
import dev.larder.log.Position;
import dev.larder.log.VerifyReport;
import dev.larder.log.WorkProgress;
import dev.larder.log.layer.ProblemList;
import dev.larder.map.checkpoint.CheckedPages;
import dev.larder.map.checkpoint.CheckpointReader;
import dev.larder.map.checkpoint.PendingPlaces;
import dev.larder.map.format.CheckpointLayout;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.format.PackedPositions;
import dev.larder.map.format.PendingLayout;
import dev.larder.map.index.Lookup;
import dev.larder.map.shared.MapFile;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Verifies the files of a map: each by itself, then the log and the checkpoint against each other.
 *
 * <pre>
 *  log          checkpoint
 *  record  -->  its own word, or that of a later record of the same hash: else an entry is missing from the checkpoint
 *  record  <--  each word once: else words lead to no record
 * </pre>
 *
 * <p>It walks the log once, and needs memory only for the positions of the checkpoint's pages.
 */
final class MapVerification {

    private static final int RECORDS_AT_ONCE = 1 << 16;

    private final Path directory;
    private final Storage storage;
    private final Log log;
    private PackedPositions places;
    private final ProblemList problems = new ProblemList();
    private OptionalLong seed = OptionalLong.empty();
    private Optional<CheckpointReader> image = Optional.empty();
    private Optional<CheckedPages> checked = Optional.empty();
    private long entries;
    private long removals;
    private final Map<Integer, Integer> words = new HashMap<>();
    private final Map<Integer, Integer> wordsMet = new HashMap<>();
    private long liveBytes;
    private long compared;

    MapVerification(Path directory, Storage storage, Log log) {
        this.directory = directory;
        this.storage = storage;
        this.log = log;
        this.places = new PackedPositions(log.info().largestSegmentBytes(), 0);
    }

    MapVerifyReport run(WorkProgress progress) {
        try (Arena arena = Arena.ofShared()) {
            readSeed();
            readImage(arena);
            boolean whole = readLog(progress);
            compareCounts(whole);
            VerifyReport ofLog =
                    log.verify((done, total) -> progress.onProgress(total + done, 2 * total)); // the second reading
            ofLog.problems().forEach(problems::add);
            long from = image.map(CheckpointReader::replay).orElseGet(log::firstPosition);
            return new MapVerifyReport(entries, removals, liveBytes, compared, from, ofLog, problems.toList());
        }
    }

    private void problem(String text) {
        problems.add(text);
    }

    private void readSeed() {
        try {
            seed = OptionalLong.of(MapFile.read(directory, storage).seed());
        } catch (LarderException e) {
            problem(String.valueOf(e.getMessage()));
        }
    }

    private void readImage(Arena arena) {
        try {
            image = CheckpointReader.of(directory, storage, arena);
        } catch (LarderException e) {
            problem(String.valueOf(e.getMessage()));
        }
        image.ifPresent(found -> {
            places = found.places(log.info().largestSegmentBytes());
            CheckedPages steps = new CheckedPages(found, this::problem);
            checked = Optional.of(steps);
            steps.forEach(this::count);
            boolean another = seed.isPresent() && found.seed() != seed.getAsLong();
            if (another || !found.isOf(log.info().identity(), log.endPosition())) {
                problem(directory.resolve(CheckpointLayout.FILE_NAME)
                        + ": the checkpoint is of another log or seed, or points past the log's end");
            }
        });
    }

    private void count(long word) {
        if (!IndexWord.isOfKey(word)) {
            return;
        }
        if (IndexWord.isAlive(word)) {
            entries++;
        } else {
            removals++;
        }
        words.merge(Position.segment(places.position(IndexWord.place(word))), 1, Integer::sum);
    }

    /**
     * Reads every record up to the log's current end, except segments that are dropped meanwhile; returns whether it
     * reached the end.
     */
    private boolean readLog(WorkProgress progress) {
        long end = log.endPosition();
        int first = Position.segment(log.firstPosition());
        int segments = Position.segment(end) + 1 - first;
        try (LogReader reader = log.reader()) {
            RecordLook look = new RecordLook(reader);
            int read = 1;
            while (read > 0 && reader.position() < end) {
                read = drain(reader, look);
                progress.onProgress(Position.segment(reader.position()) - first, 2L * segments);
            }
            return reader.position() >= end;
        } catch (LarderException e) {
            problem(e.getMessage() + "; later records were not compared with the checkpoint");
            return false;
        }
    }

    /**
     * Reads records. A process that has the map open may clean it meanwhile: nothing keeps the oldest segment for a
     * read-only reader.
     */
    private static int drain(LogReader reader, RecordLook look) {
        try {
            return reader.drain(look::take, RECORDS_AT_ONCE);
        } catch (FellBehindException e) {
            reader.moveToFirst();
            return 1;
        }
    }

    private void compareCounts(boolean whole) {
        int first = Position.segment(log.firstPosition());
        long wanted = sumFrom(first, words);
        long met = sumFrom(first, wordsMet);
        if (whole && seed.isPresent() && met < wanted) {
            problem(directory.resolve(CheckpointLayout.FILE_NAME) + ": " + (wanted - met) + " of " + wanted
                    + " words point to no record with their hash");
        }
    }

    /**
     * Sums the counts of the segments that are left. An entry of a dropped segment was replaced after the checkpoint,
     * or has no successor.
     */
    private static long sumFrom(int first, Map<Integer, Integer> ofSegments) {
        return ofSegments.entrySet().stream()
                .filter(counted -> counted.getKey() >= first)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Checks one record after the other. */
    private final class RecordLook {

        private final LogReader reader;
        private final Lookup probe = new Lookup();
        private final PendingPlaces pending = new PendingPlaces();
        private boolean own;
        private boolean later;
        private long position;
        private boolean removal;

        RecordLook(LogReader reader) {
            this.reader = reader;
        }

        void take(MemorySegment segment, long offset, int length) {
            position = reader.position();
            if (PendingLayout.isPending(segment, offset, length)) {
                pending.add(position, length);
            } else if (!EntryLayout.isEntry(segment, offset, length)) {
                problem(here() + ", of " + length + " bytes, is not an entry of a map");
            } else {
                takeEntry(segment, offset, length);
            }
        }

        private void takeEntry(MemorySegment segment, long offset, int length) {
            if (EntryLayout.isApart(EntryLayout.kind(segment, offset))) {
                requireValue(segment, offset, length);
            }
            if (image.isPresent() && checked.isPresent() && seed.isPresent()) {
                removal = EntryLayout.isRemoval(EntryLayout.kind(segment, offset));
                probe.take(segment, offset, seed.getAsLong());
                compare(image.get(), checked.get(), EntryLayout.liveLength(segment, offset, length));
            }
        }

        /**
         * Checks the value of a reference. The value may have gone with a segment that the cleaner has dropped: then the
         * reference is no longer the record of its key.
         */
        private void requireValue(MemorySegment segment, long offset, int length) {
            long there = EntryLayout.referencePosition(segment, offset, length);
            boolean dropped = Position.segment(there) < Position.segment(log.firstPosition());
            if (!dropped && !pending.contain(segment, offset, length)) {
                problem(here() + " points to no value at position " + Position.toString(there));
            }
        }

        private void compare(CheckpointReader found, CheckedPages steps, long liveLength) {
            own = false;
            later = false;
            compared++;
            boolean sound = steps.forEachOf(probe.hash, this::meet);
            boolean isMissing = sound && !own && !later && !removal && !mayBeForgotten(found);
            if (isMissing && position < found.replay()) {
                problem(here() + " is missing from the checkpoint, and so is any later record of its key");
            }
            if (own && !removal) {
                liveBytes += (8 + liveLength + 7) & -8;
            }
        }

        /**
         * Returns whether a record may be dropped without a trace. The cleaner does that to expired, evicted and removed
         * entries, in the segments that it has emptied and in the next one. A restore point may still keep emptied segments.
         */
        private boolean mayBeForgotten(CheckpointReader found) {
            long next = Math.max(Position.segment(log.firstPosition()), found.emptiedTo());
            int own = Position.segment(position);
            return own <= next && own < Position.segment(log.endPosition());
        }

        private void meet(long word) {
            if (!IndexWord.isOfKey(word)) {
                return;
            }
            long there = places.position(IndexWord.place(word));
            later |= there > position;
            if (there == position) {
                own = true;
                wordsMet.merge(Position.segment(position), 1, Integer::sum);
                if (IndexWord.isRemoval(word) != removal) {
                    problem(here()
                            + (removal
                                    ? " is a removal, but the checkpoint has a value"
                                    : " is a value, but the checkpoint has a removal"));
                }
            }
        }

        private String here() {
            String file = String.format(Locale.ROOT, "%010d.seg", Position.segment(position));
            return directory.resolve(file) + ": the record at position " + Position.toString(position);
        }
    }
}
