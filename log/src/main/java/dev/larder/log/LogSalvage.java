package dev.larder.log;

import dev.larder.memory.AccessErrors;
import dev.larder.memory.Crc32c;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
 * touch a range that fails its seal are left out (SEAL); in mode NONE a damaged payload is not noticed.
 */
public final class LogSalvage {

    /** Takes a sound record, valid during the call only. */
    @FunctionalInterface
    public interface Sink {

        /** Reads the {@code length} bytes from {@code offset} on of the record of a position. */
        void record(long position, MemorySegment segment, long offset, int length);
    }

    private static final int PROBLEMS_MAX = 10_000;

    private final Path directory;
    private final Storage storage;
    private final Sink sink;
    private final List<String> problems = new ArrayList<>();
    private long records;
    private long bytes;
    private long abandoned;

    private LogSalvage(Path directory, Storage storage, Sink sink) {
        this.directory = directory;
        this.storage = storage;
        this.sink = sink;
    }

    /** Hands every sound record to a sink, in order, and says what is not sound. */
    public static SalvageReport run(Path directory, Storage storage, Sink sink) {
        LogSalvage salvage = new LogSalvage(directory, storage, sink);
        salvage.readAll();
        return new SalvageReport(salvage.records, salvage.bytes, salvage.abandoned, List.copyOf(salvage.problems));
    }

    private void problem(String text) {
        if (problems.size() < PROBLEMS_MAX) {
            problems.add(text);
        }
    }

    private void readAll() {
        List<Integer> numbers = storage.list(directory).stream()
                .map(SegmentLayout::numberOf)
                .filter(number -> number >= 0)
                .sorted()
                .toList();
        int next = numbers.isEmpty() ? 0 : numbers.getFirst();
        for (int number : numbers) {
            if (next < number) {
                problem(path(next) + ": segment is missing");
            }
            read(number);
            next = number + 1;
        }
    }

    private Path path(int number) {
        return directory.resolve(SegmentLayout.fileName(number));
    }

    private void read(int number) {
        try (StorageFile file = storage.open(path(number), false).orElseThrow();
                Arena arena = Arena.ofShared()) {
            long size = file.sizeBytes();
            if (size < SegmentLayout.SIZE_MIN_BYTES) {
                problem(path(number) + ": segment of " + size + " bytes, least is " + SegmentLayout.SIZE_MIN_BYTES);
                return;
            }
            new Walk(number, file.map(0, size, false, arena)).run();
            AccessErrors.deliver();
        } catch (LarderException e) {
            problem(String.valueOf(e.getMessage()));
        } catch (InternalError e) {
            problem(path(number) + ": bytes of the mapped file cannot be read (" + e.getMessage() + ")");
        }
    }

    /** The walk over one segment. */
    private final class Walk {

        private final int number;
        private final MemorySegment memory;
        private final long limit;
        private final long head;
        private final long salt;
        private final boolean checked;
        private final boolean sealed;
        private final Crc32c crc;

        /** The block that was looked at last, and what its seals claim and do not prove. */
        private int seen = -1;

        private long damagedFrom;
        private long damagedTo;

        Walk(int number, MemorySegment memory) {
            this.number = number;
            this.memory = memory;
            this.limit = memory.byteSize() & -8L;
            checkHeader();
            this.head = SegmentLayout.head(memory.byteSize());
            this.salt = Words.getPlain(memory, SegmentLayout.SALT);
            int integrity = (int) Words.getPlain(memory, SegmentLayout.INTEGRITY);
            this.checked = integrity == IntegrityMode.RECORD.code;
            this.sealed = integrity == IntegrityMode.SEAL.code;
            this.crc = new Crc32c(memory);
        }

        /** A damaged header is a problem; what matters of it may be sound all the same, and the first word tells. */
        private void checkHeader() {
            try {
                FileHeader.read(
                        memory, path(number), SegmentLayout.FORMAT, SegmentLayout.VERSION, Features.NONE, false);
            } catch (LarderException e) {
                problem(String.valueOf(e.getMessage()));
            }
        }

        private long position(long at) {
            return Position.of(number, at);
        }

        private long word(long at) {
            return Words.getAcquire(memory, at);
        }

        void run() {
            long at = head;
            while (at >= 0 && at <= limit - Segment.END_ROOM_BYTES && !isEnd(at)) {
                at = step(at);
            }
        }

        private boolean isEnd(long at) {
            return RecordWord.isEnd(word(at)) && isSound(at);
        }

        /** Goes over one record, or over what is damaged; returns where to go on, -1 where there is nothing more. */
        private long step(long at) {
            long word = word(at);
            if (!RecordWord.isEnd(word) && fits(at, word) && isSound(at)) {
                take(at, word);
                return next(at, word);
            }
            boolean named = word != RecordWord.FREE && !RecordWord.isEnd(word) && fits(at, word);
            return named && continues(next(at, word)) ? leaveOut(at, word) : resume(at);
        }

        /** Goes over one record whose word tells at least how long it is. */
        private long leaveOut(long at, long word) {
            if (RecordWord.state(word) == RecordWord.RESERVED) {
                abandoned++;
            } else {
                problem(path(number) + ": the record at position " + Position.toString(position(at)) + ", of "
                        + RecordWord.length(word) + " bytes, fails its check: left out");
            }
            return next(at, word);
        }

        /** Looks on for the next sound word. */
        private long resume(long at) {
            for (long on = at + 8; on <= limit - Segment.END_ROOM_BYTES; on += 8) {
                if (isChain(on)) {
                    problem(path(number) + ": damaged from position " + Position.toString(position(at)) + " to "
                            + Position.toString(position(on)) + ": " + (on - at) + " bytes left out");
                    return on;
                }
            }
            long word = word(at);
            boolean open = RecordWord.state(word) == RecordWord.RESERVED
                    && fits(at, word)
                    && word(next(at, word)) == RecordWord.FREE;
            if (open) {
                abandoned++; // the last claim of the log
            } else if (word != RecordWord.FREE) {
                problem(path(number) + ": nothing is sound from position " + Position.toString(position(at)) + " on");
            }
            return -1;
        }

        private boolean fits(long at, long word) {
            return next(at, word) <= limit - Segment.END_ROOM_BYTES || RecordWord.isEnd(word);
        }

        private long next(long at, long word) {
            return at + RecordWord.sizeBytes(RecordWord.length(word));
        }

        /** Whether the chain goes on at an offset: there is a sound word, behind claims that nobody has settled. */
        private boolean continues(long at) {
            long place = at;
            long word = word(place);
            while (RecordWord.state(word) == RecordWord.RESERVED && fits(place, word)) {
                place = next(place, word);
                word = word(place);
            }
            return isSound(place);
        }

        /**
         * Whether a word is one of the chain. Words are asked first that cost little: of a payload's bytes that look like
         * words few look like three in a row.
         */
        private boolean isChain(long at) {
            long place = at;
            for (int words = 0; words < 3; words++) {
                long word = word(place);
                if (words > 0 && (word == RecordWord.FREE || RecordWord.isEnd(word))) {
                    break;
                }
                boolean settled = RecordWord.state(word) >= RecordWord.COMMITTED;
                if (!settled || !fits(place, word)) {
                    return false;
                }
                if (RecordWord.isEnd(word)) {
                    break;
                }
                place = next(place, word);
            }
            return isSound(at);
        }

        private boolean isSound(long at) {
            long word = word(at);
            boolean payload = checked && RecordWord.state(word) == RecordWord.COMMITTED;
            if (payload && !fits(at, word)) {
                return false;
            }
            int check = payload ? crc.of(at + RecordWord.BYTES, RecordWord.length(word)) : 0;
            return RecordWord.isSound(word, salt, position(at), check);
        }

        private void take(long at, long word) {
            if (RecordWord.state(word) == RecordWord.PADDING) {
                abandoned++;
            } else if (sealed && touchesDamage(at, next(at, word))) {
                problem(path(number) + ": the record at position " + Position.toString(position(at)) + ", of "
                        + RecordWord.length(word) + " bytes, lies in a range that fails its seal: left out");
            } else {
                sink.record(position(at), memory.asReadOnly(), at + RecordWord.BYTES, RecordWord.length(word));
                records++;
                bytes += RecordWord.length(word);
            }
        }

        private boolean touchesDamage(long from, long to) {
            for (long block = from >>> SegmentLayout.BLOCK_SHIFT;
                    block <= (to - 1) >>> SegmentLayout.BLOCK_SHIFT;
                    block++) {
                look((int) block);
                if (damagedFrom < damagedTo && from < damagedTo && to > damagedFrom) {
                    return true;
                }
            }
            return false;
        }

        /** Finds what a block's seals claim and do not prove. */
        private void look(int block) {
            if (block == seen) {
                return;
            }
            seen = block;
            long start = Math.max((long) block << SegmentLayout.BLOCK_SHIFT, head);
            long row = SegmentLayout.row((long) block << SegmentLayout.BLOCK_SHIFT);
            damagedFrom = start;
            damagedTo = start;
            for (long half = row; half <= row + 8; half += 8) {
                long seal = word(half);
                long end = ((long) block << SegmentLayout.BLOCK_SHIFT) + Seals.coveredBytes(seal);
                boolean possible = Seals.coveredBytes(seal) <= SegmentLayout.BLOCK_BYTES && end > start;
                if (possible && (int) (seal >>> 32) == crc.of(start, end - start)) {
                    damagedFrom = Math.max(damagedFrom, end);
                }
                damagedTo = possible ? Math.max(damagedTo, end) : damagedTo;
            }
        }
    }
}
