package dev.larder.map.format;

import dev.larder.memory.Crc32c;
import dev.larder.memory.FileHeader;
import dev.larder.memory.Words;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/**
 * The byte layout of a checkpoint of the index, {@code map.checkpoint}.
 *
 * <pre>
 * 0        4096      69632           4096 + 65536 x pages
 * | header | page    | page    | ... | row | row | ...
 *
 * page     as it is in memory, not frozen, with its check
 * row      | place 8 | alive 8 |      of each page, in their order
 * </pre>
 *
 * The rows contain what an opening needs from the pages, so that it need not look at the pages themselves.
 */
public final class CheckpointLayout {

    public static final String FILE_NAME = "map.checkpoint";
    public static final String FORMAT = "MAPCKP";
    public static final int VERSION = 1;

    /** The layout of the format's own header. */
    public static final StructLayout HEADER = MemoryLayout.structLayout(
                    MemoryLayout.paddingLayout(FileHeader.COMMON_BYTES).withName("common header"),
                    Words.LONG.withName("identity high"),
                    Words.LONG.withName("identity low"),
                    Words.LONG.withName("seed"),
                    Words.LONG.withName("replay"),
                    Words.LONG.withName("reach"),
                    Words.LONG.withName("steps"),
                    Words.LONG.withName("live bytes"),
                    Words.LONG.withName("first segment"),
                    Words.LONG.withName("rows check"),
                    Words.LONG.withName("salt"),
                    Words.LONG.withName("live known"),
                    Words.LONG.withName("apart from"),
                    Words.LONG.withName("apart bytes"),
                    Words.LONG.withName("emptied to"),
                    Words.LONG.withName("endless"),
                    MemoryLayout.paddingLayout(8).withName("reserved"))
            .withName("checkpoint header");

    public static final int HEADER_BYTES = (int) HEADER.byteSize();
    public static final long IDENTITY_HIGH = offset("identity high");
    public static final long IDENTITY_LOW = offset("identity low");
    public static final long SEED = offset("seed");
    public static final long REPLAY = offset("replay");
    public static final long REACH = offset("reach");
    public static final long STEPS = offset("steps");
    public static final long LIVE = offset("live bytes");
    public static final long FIRST = offset("first segment");
    public static final long ROWS_CHECK = offset("rows check");
    public static final long SALT = offset("salt");

    /** 1 if the live bytes are known, even if they are 0; 0 if an earlier release wrote the checkpoint. */
    public static final long LIVE_KNOWN = offset("live known");

    public static final long APART_FROM = offset("apart from");
    public static final long APART_BYTES = offset("apart bytes");

    /** The cleaner had forgotten removals and expired entries before this segment; it may have begun with this one. */
    public static final long EMPTIED_TO = offset("emptied to");

    /** 1 if no entry expires; 0 if some may, also if an earlier release wrote the checkpoint. */
    public static final long ENDLESS = offset("endless");

    public static final long STEPS_AT = 4096;
    public static final long ROW_BYTES = 16;
    public static final long ROW_ALIVE = 8;

    private CheckpointLayout() {}

    private static long offset(String field) {
        return HEADER.byteOffset(PathElement.groupElement(field));
    }

    /** Returns where a page begins. */
    public static long step(long number) {
        return STEPS_AT + (number << IndexPageLayout.SHIFT);
    }

    /** Returns where a row begins in a checkpoint of {@code steps} pages. */
    public static long row(long steps, long number) {
        return step(steps) + number * ROW_BYTES;
    }

    /** Returns the length of a checkpoint of {@code steps} pages. */
    public static long bytes(long steps) {
        return row(steps, steps);
    }

    /**
     * Returns the check of a page, as if its check field held the position from which the checkpoint is replayed, mixed with
     * the checkpoint's salt. So a page of another checkpoint does not pass for a page of this one, even if both are replayed
     * from the same position.
     */
    public static long stepCheck(MemorySegment memory, long base, long replay, long salt) {
        Crc32c crc = new Crc32c();
        crc.start();
        crc.add(memory, base, IndexPageLayout.CHECK);
        crc.addLong(replay ^ salt);
        long behind = IndexPageLayout.CHECK + Long.BYTES;
        crc.add(memory, base + behind, IndexPageLayout.BYTES - behind);
        return present(crc);
    }

    /** Returns the check of all rows. */
    public static long rowsCheck(MemorySegment memory, long at, long bytes) {
        Crc32c crc = new Crc32c();
        crc.start();
        crc.add(memory, at, bytes);
        return present(crc);
    }

    /** Returns a check that is never 0: 0 means that no process has written the field. */
    private static long present(Crc32c crc) {
        return (1L << 32) | Integer.toUnsignedLong(crc.value());
    }
}
