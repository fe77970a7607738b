package dev.larder.log.format;

import dev.larder.memory.Words;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;

/**
 * The bytes of the bookmarks, {@code log.bmk}.
 *
 * <pre>
 * 0        4096            266240           299008         364544         397312         430080
 * | header | names: 256 B  | owners: 32 B   | live: 64 B   | copies A: 32 | copies B: 32 |      1024 of each
 *
 * name   | check 8 | salt 8 | length 8 | UTF-8 bytes, 128 | gap 104 |    length 0: it was dropped; check 0: never used;
 *                                                                       check 2^33: it is being named
 * owner  | owner 8 | process 8 | since 8 | absent 8 |                   owner: slot + 1, 16 | generation, 48 |
 * live   | mark 0, 24 | mark 1, 24 | gap 16 |
 * copy   | mark, 24 | gap 8 |
 * mark   | counter 8 | position 8 | check 8 |                           the valid mark with the greatest counter counts
 * </pre>
 *
 * The live marks are stored in turn whenever a bookmark moves: a process that is killed while it stores one leaves the other
 * whole. The copies are stored in turn by syncs, each durable before the next: a loss of power, too, leaves one whole.
 */
public final class BookmarkLayout {

    public static final String FORMAT = "LOGBMK";
    public static final int VERSION = 1;
    public static final int HEADER_BYTES = 128;
    public static final String FILE_NAME = "log.bmk";
    public static final int COUNT = 1024;
    public static final int NAME_MAX_BYTES = 128;

    public static final StructLayout HEADER = MemoryLayout.structLayout(
                    MemoryLayout.paddingLayout(64).withName("common header"),
                    Words.LONG.withName("identity high"),
                    Words.LONG.withName("identity low"),
                    MemoryLayout.paddingLayout(48).withName("reserved"))
            .withName("bookmarks header");

    public static final StructLayout NAME = MemoryLayout.structLayout(
                    Words.LONG.withName("check"),
                    Words.LONG.withName("salt"),
                    Words.LONG.withName("length"),
                    MemoryLayout.paddingLayout(NAME_MAX_BYTES).withName("bytes"),
                    MemoryLayout.paddingLayout(104).withName("gap"))
            .withName("bookmark name");

    public static final StructLayout OWNER = MemoryLayout.structLayout(
                    Words.LONG.withName("owner"),
                    Words.LONG.withName("process"),
                    Words.LONG.withName("since"),
                    Words.LONG.withName("absent"))
            .withName("bookmark owner");

    public static final StructLayout MARK = MemoryLayout.structLayout(
                    Words.LONG.withName("counter"), Words.LONG.withName("position"), Words.LONG.withName("check"))
            .withName("mark");

    public static final long IDENTITY_HIGH = HEADER.byteOffset(PathElement.groupElement("identity high"));
    public static final long IDENTITY_LOW = HEADER.byteOffset(PathElement.groupElement("identity low"));

    /** Stored in place of a name's check while the name is being written; a check has another upper half. */
    public static final long NAMING = 2L << 32;

    public static final long NAME_SALT = 8;
    public static final long NAME_LENGTH = 16;
    public static final long NAME_BYTES = 24;
    public static final long NAME_CHECKED_BYTES = NAME_BYTES + NAME_MAX_BYTES - NAME_SALT;

    public static final long OWNER_PROCESS = 8;
    public static final long OWNER_SINCE = 16;
    public static final long OWNER_ABSENT = 24;

    private static final long NAMES = 4096;
    private static final long OWNERS = NAMES + COUNT * NAME.byteSize();
    private static final long LIVE = OWNERS + COUNT * OWNER.byteSize();
    private static final long LIVE_BYTES = 64;
    private static final long COPIES_A = LIVE + COUNT * LIVE_BYTES;
    private static final long COPY_BYTES = 32;
    private static final long COPIES_B = COPIES_A + COUNT * COPY_BYTES;
    public static final long SIZE_BYTES = COPIES_B + COUNT * COPY_BYTES;

    static {
        assert NAME.byteSize() == 256 && OWNER.byteSize() == 32 && LIVE % 4096 == 0 && SIZE_BYTES % 4096 == 0;
        assert HEADER.byteSize() == HEADER_BYTES && 2 * MARK.byteSize() <= LIVE_BYTES;
    }

    private BookmarkLayout() {}

    public static long name(int entry) {
        return NAMES + entry * NAME.byteSize();
    }

    public static long owner(int entry) {
        return OWNERS + entry * OWNER.byteSize();
    }

    /** Returns the offset of one of the two live marks of an entry; the lowest bit of the counter selects the mark. */
    public static long live(int entry, long counter) {
        return LIVE + entry * LIVE_BYTES + (counter & 1) * MARK.byteSize();
    }

    public static long copyA(int entry) {
        return COPIES_A + entry * COPY_BYTES;
    }

    public static long copyB(int entry) {
        return COPIES_B + entry * COPY_BYTES;
    }
}
