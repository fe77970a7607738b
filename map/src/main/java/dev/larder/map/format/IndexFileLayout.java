package dev.larder.map.format;

import dev.larder.memory.Words;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;

/**
 * The byte layout of the memory shared by all processes that have a map open.
 *
 * <pre>
 * 0        64 KiB      1 MiB                128 MiB      256 MiB       384 MiB
 * | header | processes | areas of processes | directory  | page states | pages of 64 KiB ...
 *            1024 x 64   1024 x 64 KiB
 *
 * process    | owner 8 | pid 8 | since 8 | backed 8 | dropped bytes 8 | gap |
 * area       | 256 lines of changes | 256 lines of reads | 16 stripes of counts |     64 bytes each
 * line       | 0, or generation 16, epoch 48 | gap |
 * batch      | owner, left 8 | from 8 | to 8 | gap |          16 of them, in the header
 * stripe     | live bytes 8 | of these behind 8 | hits 8 | misses 8 | of these before 8 | gap |
 * </pre>
 *
 * <p>Nothing is stored in a part whose memory was not allocated before; most of the file never has any memory. Each word that
 * several threads write has a 64-byte line of its own.
 */
public final class IndexFileLayout {

    public static final String FORMAT = "MAPIDX";
    public static final int VERSION = 1;

    /** The fixed words of the file, covered by the header's check. */
    public static final StructLayout HEADER = MemoryLayout.structLayout(
                    MemoryLayout.paddingLayout(64).withName("common header"),
                    Words.LONG.withName("opening"),
                    Words.LONG.withName("identity high"),
                    Words.LONG.withName("identity low"),
                    Words.LONG.withName("seed"),
                    Words.LONG.withName("largest segment"),
                    MemoryLayout.paddingLayout(24).withName("reserved"))
            .withName("index header");

    /** The words that change, from {@link #SHARED_AT} on. */
    public static final StructLayout SHARED = MemoryLayout.structLayout(
                    line("state"),
                    line("change epoch"),
                    line("read epoch"),
                    line("steps"),
                    line("process slots"),
                    line("departures"),
                    line("live bytes"),
                    line("apart from"),
                    line("cleaned bytes"),
                    line("carried bytes"),
                    line("used before"),
                    line("evicted"),
                    line("expired"),
                    line("unexpired bytes"),
                    line("overdue bytes"),
                    line("pending floor"),
                    line("pending last"),
                    line("restoring"),
                    line("emptied to"),
                    line("restore point"),
                    line("expiring before"))
            .withName("shared words");

    public static final int HEADER_BYTES = (int) HEADER.byteSize();
    public static final long OPENING = header("opening");
    public static final long IDENTITY_HIGH = header("identity high");
    public static final long IDENTITY_LOW = header("identity low");
    public static final long SEED = header("seed");
    public static final long LARGEST_SEGMENT = header("largest segment");

    static final long SHARED_AT = 1024;
    public static final long STATE = shared("state");
    public static final long CHANGE_EPOCH = shared("change epoch");
    public static final long READ_EPOCH = shared("read epoch");

    /** How many pages were ever allocated. */
    public static final long STEPS = shared("steps");

    /** The highest slot that a process ever had, plus one. */
    public static final long PROCESS_SLOTS = shared("process slots");

    /** How many processes have left, or were found dead. */
    public static final long DEPARTURES = shared("departures");

    public static final long LIVE_BYTES = shared("live bytes");
    public static final long APART_FROM = shared("apart from");

    public static final long CLEANED_BYTES = shared("cleaned bytes");
    public static final long CARRIED_BYTES = shared("carried bytes");
    public static final long USED_BEFORE = shared("used before");
    public static final long EVICTED = shared("evicted");
    public static final long EXPIRED = shared("expired");

    /** The estimated live bytes that have not expired, plus one; 0 if there is no estimate yet. */
    public static final long UNEXPIRED_BYTES = shared("unexpired bytes");

    /** The live bytes that have expired, by the same estimate. */
    public static final long OVERDUE_BYTES = shared("overdue bytes");

    /** No pending record before this position is needed. */
    public static final long PENDING_FLOOR = shared("pending floor");

    /** The position of the last pending record, or one behind which there can be none. */
    public static final long PENDING_LAST = shared("pending last");

    /** Whether the opening has a restore point: 1 if not, 2 if so. */
    public static final long RESTORING = shared("restoring");

    /** The cleaner has emptied all segments before this one; they stay for a restore point, or are dropped. */
    public static final long EMPTIED_TO = shared("emptied to");

    /** The latest restore point that any process has noted. */
    public static final long RESTORE_POINT = shared("restore point");

    /** No record at this position or behind it has a deadline; 0 if none has one ({@code ExpiringRecords}). */
    public static final long EXPIRING_BEFORE = shared("expiring before");

    /** The depth of each partition's directory, 8 bytes each. */
    public static final long DEPTHS_AT = 2560;

    /** Batches of loaders that are not linked yet ({@code Batches}), 64 bytes each. */
    static final long BATCHES_AT = 3072;

    public static final int BATCHES = 16;
    public static final long BATCH_OWNER = 0;
    public static final long BATCH_FROM = 8;
    public static final long BATCH_TO = 16;

    /** The bytes allocated as the file is made, before the processes. */
    public static final long HEAD_BYTES = 4096;

    public static final long PROCESSES_AT = 64 << 10;
    public static final long PROCESS_BYTES = 64;
    public static final int PROCESSES = 1024;
    public static final long OWNER = 0;
    public static final long PID = 8;
    public static final long SINCE = 16;
    public static final long BACKED = 24;
    public static final long DROPPED_BYTES = 32;

    static final long AREAS_AT = 1L << 20;
    static final long AREA_STRIDE_BYTES = 64L << 10;
    public static final int LINES = 256;
    public static final int LINE_BYTES = 64;
    public static final long CHANGES = 0;
    public static final long READS = (long) LINES * LINE_BYTES;
    public static final long STRIPES_AT = 2 * READS;
    public static final int STRIPES = 16;
    public static final long STRIPE_LIVE = 0;
    public static final long STRIPE_BEHIND = 8;
    public static final long STRIPE_HITS = 16;
    public static final long STRIPE_MISSES = 24;
    public static final long STRIPE_BEFORE = 32;
    public static final long AREA_BYTES = STRIPES_AT + (long) STRIPES * LINE_BYTES;

    public static final long DIRECTORY_AT = 128L << 20;
    static final long STATES_AT = 256L << 20;
    public static final long STEPS_AT = 384L << 20;

    /** How many pages have a place for their state. */
    public static final int STEPS_MAX = (int) ((STEPS_AT - STATES_AT) / 8);

    /** The bytes allocated at a time for pages. */
    public static final long UNIT_BYTES = 2L << 20;

    public static final int UNIT_STEPS = (int) (UNIT_BYTES >> IndexPageLayout.SHIFT);

    static {
        assert HEADER_BYTES <= SHARED_AT && SHARED_AT + SHARED.byteSize() <= DEPTHS_AT;
        assert DEPTHS_AT + 8L * Placement.PARTITIONS <= BATCHES_AT;
        assert BATCHES_AT + (long) BATCHES * LINE_BYTES <= HEAD_BYTES;
        assert PROCESSES_AT + PROCESSES * PROCESS_BYTES <= AREAS_AT && AREA_BYTES <= AREA_STRIDE_BYTES;
        assert AREAS_AT + PROCESSES * AREA_STRIDE_BYTES <= DIRECTORY_AT;
        assert DIRECTORY_AT + ((8L * Placement.PARTITIONS) << IndexWord.DEPTH_MAX) <= STATES_AT;
    }

    private IndexFileLayout() {}

    private static StructLayout line(String name) {
        return MemoryLayout.structLayout(Words.LONG.withName(name), MemoryLayout.paddingLayout(56))
                .withName(name);
    }

    private static long header(String field) {
        return HEADER.byteOffset(PathElement.groupElement(field));
    }

    private static long shared(String field) {
        return SHARED_AT + SHARED.byteOffset(PathElement.groupElement(field));
    }

    /** Returns where the record of a process begins. */
    public static long process(int slot) {
        return PROCESSES_AT + slot * PROCESS_BYTES;
    }

    /** Returns where the area of a process begins. */
    public static long area(int slot) {
        return AREAS_AT + slot * AREA_STRIDE_BYTES;
    }

    /** Returns where the line of a batch begins. */
    public static long batch(int line) {
        return BATCHES_AT + (long) line * LINE_BYTES;
    }

    /** Returns where the state of a page is. */
    public static long state(int step) {
        return STATES_AT + 8L * step;
    }

    /** Returns where a page begins. */
    public static long step(int step) {
        return STEPS_AT + ((long) step << IndexPageLayout.SHIFT);
    }
}
