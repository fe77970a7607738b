package dev.larder.log;

import dev.larder.log.format.ControlLayout;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.ProblemList;
import dev.larder.log.open.SegmentSalvage;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.IntegrityCode;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the sound records of a damaged log, whatever its control file contains. It changes nothing. For a log that opens, use
 * a {@link LogReader}.
 *
 * <pre>
 * | record | record | damaged .....| record | record | END |
 *                     at a word that fails its check: look on, word by word, for one that passes
 * </pre>
 *
 * <p>In mode RECORD a word is accepted if its payload passes its check. In the other modes the word's own check suffices. In
 * mode SEAL, records that touch a range with a failed seal are left out, up to 1 MiB of them for each damaged byte. In mode
 * NONE a damaged payload is not noticed.
 *
 * <p>The first segment, the last segment and the durable position in the control file, if readable, are compared with the
 * files. So are the record counts in the headers.
 */
public final class LogSalvage {

    private static final int PROBLEMS_MAX = 10_000;
    private static final long UNKNOWN = -1;
    private static final long LEAST_BYTES = SegmentLayout.head(SegmentLayout.SIZE_MIN_BYTES) + RecordWord.BYTES;

    /** The bytes before the second word of the longest segment. */
    private static final long HEAD_MAX_BYTES = SegmentLayout.head(SegmentLayout.SIZE_MAX_BYTES) + RecordWord.BYTES;

    /** The contents of a log's control file. */
    private record Said(UUID log, IntegrityMode integrity, int first, int tail, long durable) {}

    private final Path directory;
    private final Storage storage;
    private final SalvageSink sink;
    private final ProblemList problems = new ProblemList(PROBLEMS_MAX);
    private long records;
    private long bytes;
    private long abandoned;
    private long lost;
    private long lostBytes;

    /** The number of the log's records up to the current point; -1 if unknown. */
    private long sequence = UNKNOWN;

    private @Nullable Throwable ofSink;

    private LogSalvage(Path directory, Storage storage, SalvageSink sink) {
        this.directory = directory;
        this.storage = storage;
        this.sink = sink;
    }

    /**
     * Passes every sound record to a sink, in order; returns what was found and what was lost. An error that the sink throws
     * ends the salvage.
     *
     * @throws LarderException if there is no log
     */
    public static SalvageReport run(Path directory, Storage storage, SalvageSink sink) {
        requireLog(directory, storage);
        LogSalvage salvage = new LogSalvage(directory, storage, sink);
        salvage.readAll();
        return new SalvageReport(
                salvage.records,
                salvage.bytes,
                salvage.abandoned,
                salvage.lost,
                salvage.lostBytes,
                salvage.problems.toList());
    }

    /**
     * Fails where a directory has neither a segment nor a control file: its path may be mistyped.
     *
     * @throws LarderException if there is no log
     */
    public static void requireLog(Path directory, Storage storage) {
        boolean isLog = storage.list(directory).stream()
                .anyMatch(name -> name.equals(ControlLayout.FILE_NAME) || SegmentLayout.numberOf(name) >= 0);
        if (!isLog) {
            throw new LarderException(directory + ": there is no log here");
        }
    }

    private void readAll() {
        List<Integer> numbers = storage.list(directory).stream()
                .map(SegmentLayout::numberOf)
                .filter(number -> number >= 0)
                .sorted()
                .toList();
        Optional<Said> said = readControl();
        List<Look> looks = said.isPresent() ? List.of() : looksOf(numbers);
        Optional<UUID> log = said.map(Said::log).or(() -> mostOf(looks, Look::log));
        Optional<IntegrityMode> integrity = said.map(Said::integrity).or(() -> mostOf(looks, Look::integrity));
        int tail = said.map(Said::tail).orElseGet(() -> lastUsed(looks));
        int next = said.map(Said::first).orElse(numbers.isEmpty() ? 0 : numbers.getFirst());
        int first = said.map(Said::first).orElse(0);
        for (int number : numbers) {
            if (number < first) {
                continue; // dropped, and not deleted yet: it may hold what later segments have removed
            }
            tellMissing(next, Math.min(number, tail + 1));
            read(
                    number,
                    log,
                    integrity.orElse(IntegrityMode.NONE),
                    tail,
                    said.map(Said::durable).orElse(0L));
            next = Math.max(next, number + 1);
        }
        tellMissing(next, tail + 1);
    }

    /** Returns the contents of log.ctl if it is sound; the log can be read without it. */
    private Optional<Said> readControl() {
        try {
            Optional<StorageFile> file = storage.open(directory.resolve(ControlLayout.FILE_NAME), false);
            if (file.isEmpty()) {
                return Optional.empty();
            }
            try (ControlFile control = new ControlFile(file.get(), false)) {
                long durable = control.durableAcquire();
                int tail = Math.max(control.tailAcquire(), Position.segment(durable));
                return Optional.of(
                        new Said(control.identity(), control.integrity(), control.firstVolatile(), tail, durable));
            }
        } catch (SystemLimitException e) {
            throw e; // not a property of the file
        } catch (LarderException e) {
            problems.add(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private void tellMissing(int from, int to) {
        if (from + 1 == to) {
            problems.add(path(from) + ": segment is missing");
        } else if (from < to) {
            problems.add(
                    path(from) + " to " + path(to - 1).getFileName() + ": " + (to - from) + " segments are missing");
        }
    }

    /** The values in the first bytes of a segment. In a damaged header they may be anything. */
    private record Look(int number, boolean isSound, UUID log, IntegrityMode integrity, boolean isUsed) {}

    /** Returns the most frequent value in sound headers; in all headers where none is sound. */
    private static <T> Optional<T> mostOf(List<Look> looks, Function<Look, T> field) {
        boolean anySound = looks.stream().anyMatch(Look::isSound);
        Map<T, Integer> counts = new HashMap<>();
        looks.stream()
                .filter(look -> look.isSound() || !anySound)
                .forEach(look -> counts.merge(field.apply(look), 1, Integer::sum));
        return counts.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    }

    /** Returns the last segment that has records; later ones were made ahead. */
    private static int lastUsed(List<Look> looks) {
        return looks.reversed().stream()
                .filter(Look::isUsed)
                .mapToInt(Look::number)
                .findFirst()
                .orElse(-1);
    }

    private List<Look> looksOf(List<Integer> numbers) {
        return numbers.stream().map(this::look).flatMap(Optional::stream).toList();
    }

    private Optional<Look> look(int number) {
        try (StorageFile file = storage.open(path(number), false).orElseThrow();
                Arena arena = Arena.ofShared()) {
            long size = file.sizeBytes();
            if (size < LEAST_BYTES) {
                return Optional.empty();
            }
            MemorySegment memory = file.map(0, Math.min(size, HEAD_MAX_BYTES), false, arena);
            long head = SegmentLayout.head(SegmentSalvage.wholeBytes(memory, size));
            Look found = new Look(
                    number,
                    headerProblem(memory, number).isEmpty(),
                    Segment.identity(memory),
                    IntegrityCode.mode(memory.get(Words.INT, SegmentLayout.INTEGRITY), path(number)),
                    head + RecordWord.BYTES <= memory.byteSize() && Words.getAcquire(memory, head) != RecordWord.FREE);
            AccessErrors.deliver();
            return Optional.of(found);
        } catch (SystemLimitException e) {
            throw e;
        } catch (LarderException | InternalError e) {
            return Optional.empty(); // reported when the segment is read
        }
    }

    private Path path(int number) {
        return directory.resolve(SegmentLayout.fileName(number));
    }

    private void read(int number, Optional<UUID> log, IntegrityMode integrity, int tail, long durable) {
        try (StorageFile file = storage.open(path(number), false).orElseThrow();
                Arena arena = Arena.ofShared()) {
            long size = file.sizeBytes();
            if (size < LEAST_BYTES) {
                problems.add(
                        path(number) + ": segment of " + size + " bytes, least is " + SegmentLayout.SIZE_MIN_BYTES);
                return;
            }
            MemorySegment memory = file.map(0, size, false, arena);
            Optional<String> headerProblem = headerProblem(memory, number);
            headerProblem.ifPresent(problems::add);
            if (headerProblem.isEmpty() && log.isPresent()) {
                Segment.requireOf(log.get(), memory, path(number));
            }
            read(
                    new SegmentSalvage(path(number), number, memory, integrity, this::pass, problems),
                    number,
                    tail,
                    durable);
            AccessErrors.deliver();
        } catch (LarderException | InternalError e) {
            if (e.equals(ofSink) || e instanceof SystemLimitException) {
                throw e;
            }
            problems.add(
                    e instanceof InternalError
                            ? path(number) + ": bytes of the mapped file cannot be read (" + e.getMessage() + ")"
                            : String.valueOf(e.getMessage()));
        }
    }

    /** Passes a record to the sink. An error of the sink is not damage of the log: the sink's disk may be full. */
    private void pass(long position, MemorySegment segment, long offset, int length) {
        AccessErrors.deliver();
        try {
            sink.record(position, segment, offset, length);
            AccessErrors.deliver();
        } catch (LarderException | InternalError e) {
            ofSink = e;
            throw e;
        }
    }

    /**
     * Returns what is wrong with a header. Where it is damaged, its other fields may be sound; the first record word shows
     * whether they are.
     */
    private Optional<String> headerProblem(MemorySegment memory, int number) {
        try {
            FileHeader.read(memory, path(number), SegmentLayout.FORMAT, SegmentLayout.VERSION, Features.NONE, false);
            return Optional.empty();
        } catch (LarderException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private void read(SegmentSalvage walk, int number, int tail, long durable) {
        compareBase(walk.base(), number);
        try {
            SegmentSalvage.Stop stop = walk.run();
            if (!stop.atEnd() && !stop.isTold()) {
                tellStop(number, stop.position(), tail, durable);
            }
        } finally {
            count(walk); // also the records before unreadable bytes
        }
    }

    private void count(SegmentSalvage walk) {
        records += walk.records();
        bytes += walk.bytes();
        abandoned += walk.abandoned();
        lost += walk.lost();
        lostBytes += walk.lostBytes();
        sequence = sequence == UNKNOWN ? UNKNOWN : sequence + walk.records() + walk.lost();
    }

    /** Counts the lost records: those that a header counts before its segment, and that were neither found nor left out. */
    private void compareBase(long base, int number) {
        if (base == UNKNOWN) {
            return;
        }
        if (sequence != UNKNOWN && base > sequence) {
            lost += base - sequence;
            problems.add(path(number) + ": its header says that " + base + " records come before it; " + sequence
                    + " were found or left out, " + (base - sequence) + " are lost");
        }
        sequence = base;
    }

    private void tellStop(int number, long at, int tail, long durable) {
        String where = path(number) + ": the chain stops at position " + Position.toString(at);
        if (number < tail) {
            problems.add(where + ", before the segment's end, though the log went on in segment " + (number + 1));
        } else if (at < durable) {
            problems.add(where + ", and the log was synced up to " + Position.toString(durable)
                    + ": the records between are lost");
        }
    }
}
