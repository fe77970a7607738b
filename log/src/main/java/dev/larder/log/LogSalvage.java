package dev.larder.log;

import dev.larder.log.format.ControlLayout;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.ProblemList;
import dev.larder.log.open.SegmentSalvage;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.ControlFile;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Reads what is sound of a log that is damaged, whatever its control file says; changes nothing. A log that can be opened
 * is read by a {@link LogReader}.
 *
 * <pre>
 * | record | record | damaged .....| record | record | END |
 *                     at a word that fails its check: look on, word by word, for one that passes
 * </pre>
 *
 * <p>Where payloads have checks (mode RECORD) a word counts with its payload. Else it counts by itself, and records that
 * touch a range that fails its seal are left out (SEAL), up to 1 MiB of them for each damaged byte; in mode NONE a
 * damaged payload is not noticed.
 *
 * <p>What the control file says of the first segment, the last and the durable position is held against what is there, if
 * it can be read; so is what headers say of the records before them.
 */
public final class LogSalvage {

    private static final int PROBLEMS_MAX = 10_000;
    private static final long UNKNOWN = -1;

    /** What the control file says of a log. */
    private record Said(UUID log, int first, int tail, long durable) {}

    private final Path directory;
    private final Storage storage;
    private final SalvageSink sink;
    private final ProblemList problems = new ProblemList(PROBLEMS_MAX);
    private long records;
    private long bytes;
    private long abandoned;
    private long lost;
    private long lostBytes;

    /** How many records the log had up to where the salvage is; -1 where nobody knows. */
    private long sequence = UNKNOWN;

    private LogSalvage(Path directory, Storage storage, SalvageSink sink) {
        this.directory = directory;
        this.storage = storage;
        this.sink = sink;
    }

    /** Hands every sound record to a sink, in order, and says what is not sound. */
    public static SalvageReport run(Path directory, Storage storage, SalvageSink sink) {
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

    private void readAll() {
        List<Integer> numbers = storage.list(directory).stream()
                .map(SegmentLayout::numberOf)
                .filter(number -> number >= 0)
                .sorted()
                .toList();
        Optional<Said> said = readControl();
        Optional<UUID> log = said.map(Said::log).or(() -> mostOf(numbers));
        int tail = said.map(Said::tail).orElseGet(() -> lastUsed(numbers));
        int next = said.map(Said::first).orElse(numbers.isEmpty() ? 0 : numbers.getFirst());
        for (int number : numbers) {
            tellMissing(next, Math.min(number, tail + 1));
            read(number, log, tail, said.map(Said::durable).orElse(0L));
            next = Math.max(next, number + 1);
        }
        tellMissing(next, tail + 1);
    }

    /** What log.ctl says counts where it is sound: there need be none. */
    private Optional<Said> readControl() {
        try {
            Optional<StorageFile> file = storage.open(directory.resolve(ControlLayout.FILE_NAME), false);
            if (file.isEmpty()) {
                return Optional.empty();
            }
            try (ControlFile control = new ControlFile(file.get(), false)) {
                long durable = control.durableAcquire();
                int tail = Math.max(control.tailAcquire(), Position.segment(durable));
                return Optional.of(new Said(control.identity(), control.firstVolatile(), tail, durable));
            }
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

    /** Returns which log most of the segments belong to. */
    private Optional<UUID> mostOf(List<Integer> numbers) {
        Map<UUID, Integer> counts = new TreeMap<>();
        numbers.forEach(number -> look(number).ifPresent(found -> counts.merge(found.log(), 1, Integer::sum)));
        return counts.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    }

    /** Returns the last segment that has records: those behind it were made ahead. */
    private int lastUsed(List<Integer> numbers) {
        return numbers.reversed().stream()
                .filter(number -> look(number).filter(Look::isUsed).isPresent())
                .findFirst()
                .orElse(-1);
    }

    /** What a glance at a segment tells. */
    private record Look(UUID log, boolean isUsed) {}

    private Optional<Look> look(int number) {
        try (StorageFile file = storage.open(path(number), false).orElseThrow();
                Arena arena = Arena.ofShared()) {
            if (file.sizeBytes() < SegmentLayout.SIZE_MIN_BYTES) {
                return Optional.empty();
            }
            MemorySegment memory = file.map(0, SegmentLayout.SIZE_MIN_BYTES, false, arena);
            Look found = new Look(
                    Segment.identity(memory),
                    Words.getAcquire(memory, SegmentLayout.head(file.sizeBytes())) != RecordWord.FREE);
            AccessErrors.deliver();
            return Optional.of(found);
        } catch (LarderException | InternalError e) {
            return Optional.empty();
        }
    }

    private Path path(int number) {
        return directory.resolve(SegmentLayout.fileName(number));
    }

    private void read(int number, Optional<UUID> log, int tail, long durable) {
        try (StorageFile file = storage.open(path(number), false).orElseThrow();
                Arena arena = Arena.ofShared()) {
            long size = file.sizeBytes();
            if (size < SegmentLayout.head(SegmentLayout.SIZE_MIN_BYTES) + RecordWord.BYTES) {
                problems.add(
                        path(number) + ": segment of " + size + " bytes, least is " + SegmentLayout.SIZE_MIN_BYTES);
                return;
            }
            MemorySegment memory = file.map(0, size, false, arena);
            if (hasSoundHeader(memory, number) && log.isPresent()) {
                Segment.requireOf(log.get(), memory, path(number));
            }
            read(new SegmentSalvage(path(number), number, memory, sink, problems), number, tail, durable);
            AccessErrors.deliver();
        } catch (LarderException e) {
            problems.add(String.valueOf(e.getMessage()));
        } catch (InternalError e) {
            problems.add(path(number) + ": bytes of the mapped file cannot be read (" + e.getMessage() + ")");
        }
    }

    /** A damaged header is a problem; what matters of it may be sound all the same, and the first word tells. */
    private boolean hasSoundHeader(MemorySegment memory, int number) {
        try {
            FileHeader.read(memory, path(number), SegmentLayout.FORMAT, SegmentLayout.VERSION, Features.NONE, false);
            return true;
        } catch (LarderException e) {
            problems.add(String.valueOf(e.getMessage()));
            return false;
        }
    }

    private void read(SegmentSalvage walk, int number, int tail, long durable) {
        compareBase(walk.base(), number);
        SegmentSalvage.Stop stop = walk.run();
        if (!stop.atEnd() && !stop.isTold()) {
            tellStop(number, stop.position(), tail, durable);
        }
        records += walk.records();
        bytes += walk.bytes();
        abandoned += walk.abandoned();
        lost += walk.lost();
        lostBytes += walk.lostBytes();
        sequence = sequence == UNKNOWN ? UNKNOWN : sequence + walk.records() + walk.lost();
    }

    /** Counts what is neither there nor was left out, though a header says that it was before it. */
    private void compareBase(long base, int number) {
        if (base == UNKNOWN) {
            return;
        }
        if (sequence != UNKNOWN && base > sequence) {
            lost += base - sequence;
            problems.add(path(number) + ": its header says that " + base + " records come before it; found or left out"
                    + " were " + sequence + ": " + (base - sequence) + " more are lost");
        }
        sequence = base;
    }

    private void tellStop(int number, long at, int tail, long durable) {
        String where = path(number) + ": the chain stops at position " + Position.toString(at);
        if (number < tail) {
            problems.add(where + ", before the segment's end, though the log went on in segment " + (number + 1));
        } else if (at < durable) {
            problems.add(where + ", and the log was synced up to " + Position.toString(durable)
                    + ": what lay between is lost");
        }
    }
}
