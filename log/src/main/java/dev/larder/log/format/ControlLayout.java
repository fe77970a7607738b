package dev.larder.log.format;

import dev.larder.memory.Words;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;

/**
 * The bytes of the control file, {@code log.ctl}: the words that all processes of a log share.
 *
 * <pre>
 * 0                      4096       8192       12288
 * | header, shared words | place A  | place B  | process slots: 1024 x 128 B |
 *
 * place: where a walk after a power loss begins      slot: | generation 8 | gap 56 | pin 8 | gap 56 |
 * </pre>
 *
 * Each hot word has a 64-byte line of its own. The table in {@code docs/formats/log.md} gives for each word its readers and
 * writers, their access modes, and what the word protects.
 */
public final class ControlLayout {

    public static final String FORMAT = "LOGCTL";
    public static final int VERSION = 1;
    public static final int HEADER_BYTES = 128;
    public static final String FILE_NAME = "log.ctl";

    public static final StructLayout PAGE = MemoryLayout.structLayout(
                    MemoryLayout.paddingLayout(64).withName("common header"),
                    Words.LONG.withName("identity high"),
                    Words.LONG.withName("identity low"),
                    Words.LONG.withName("created"),
                    Words.LONG.withName("largest segment"),
                    Words.INT.withName("integrity"),
                    Words.INT.withName("slots"),
                    Words.LONG.withName("retention bytes"),
                    Words.LONG.withName("retention age"),
                    Words.LONG.withName("retention absence"),
                    Words.LONG.withName("bookmarks"),
                    MemoryLayout.paddingLayout(120).withName("gap"),
                    line("first"),
                    line("tail"),
                    line("durable"),
                    line("failed"),
                    Words.INT.withName("wake sequence"),
                    Words.INT.withName("wake needed"),
                    MemoryLayout.paddingLayout(56).withName("gap of wake"),
                    MemoryLayout.paddingLayout(384).withName("room for streams"),
                    line("time"),
                    Words.LONG.withName("state"),
                    Words.LONG.withName("state tail"),
                    Words.LONG.withName("state durable"),
                    Words.LONG.withName("state boot"),
                    Words.LONG.withName("state mount"),
                    Words.LONG.withName("state check"))
            .withName("control page");

    public static final StructLayout PLACE = MemoryLayout.structLayout(
                    Words.LONG.withName("counter"),
                    Words.LONG.withName("position"),
                    Words.LONG.withName("salt"),
                    Words.LONG.withName("check"))
            .withName("place");

    public static final StructLayout SLOT =
            MemoryLayout.structLayout(line("generation"), line("pin")).withName("slot");

    public static final long IDENTITY_HIGH = offsetOf("identity high");
    public static final long IDENTITY_LOW = offsetOf("identity low");
    public static final long CREATED = offsetOf("created");
    public static final long LARGEST_SEGMENT = offsetOf("largest segment");
    public static final long INTEGRITY = offsetOf("integrity");
    public static final long SLOTS = offsetOf("slots");
    public static final long RETENTION_BYTES = offsetOf("retention bytes");
    public static final long RETENTION_AGE = offsetOf("retention age");
    public static final long RETENTION_ABSENCE = offsetOf("retention absence");
    public static final long BOOKMARKS = offsetOf("bookmarks");
    public static final long FIRST = offsetOf("first");
    public static final long TAIL = offsetOf("tail");
    public static final long DURABLE = offsetOf("durable");
    public static final long FAILED = offsetOf("failed");
    public static final long WAKE_SEQUENCE = offsetOf("wake sequence");
    public static final long WAKE_NEEDED = offsetOf("wake needed");
    public static final long TIME = offsetOf("time");
    public static final long STATE = offsetOf("state");
    static final long STATE_BYTES = 48;

    public static final long PLACE_A = 4096;
    public static final long PLACE_B = 8192;
    public static final long SLOT_TABLE = 12288;
    public static final long SLOT_BYTES = SLOT.byteSize();
    static final long SLOT_PIN = 64;
    public static final int SLOT_COUNT = 1024;
    public static final long SIZE_BYTES = SLOT_TABLE + SLOT_COUNT * SLOT_BYTES;

    static {
        assert FIRST % 64 == 0 && STATE % 64 == 0 && WAKE_SEQUENCE % 64 == 0 && SLOT_BYTES == 128;
        assert STATE + STATE_BYTES == PAGE.byteSize() && PAGE.byteSize() <= PLACE_A;
    }

    /** Odd, so that no two numbers have the same check. The check of 0 is 0, as in a new file. */
    private static final int CHECK_FACTOR = 0x9E37_79B1;

    private ControlLayout() {}

    /**
     * Returns the word that names the first segment: <pre>
     * | check 32 | number 32 |
     * </pre>
     */
    public static long first(int number) {
        int check = number * CHECK_FACTOR;
        return ((long) check << Integer.SIZE) | number;
    }

    private static StructLayout line(String name) {
        return MemoryLayout.structLayout(Words.LONG.withName(name), MemoryLayout.paddingLayout(56))
                .withName(name);
    }

    private static long offsetOf(String field) {
        return PAGE.byteOffset(PathElement.groupElement(field));
    }

    public static long generation(int slot) {
        return SLOT_TABLE + slot * SLOT_BYTES;
    }

    public static long pin(int slot) {
        return generation(slot) + SLOT_PIN;
    }
}
