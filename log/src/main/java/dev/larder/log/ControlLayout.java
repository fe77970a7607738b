package dev.larder.log;

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
 * Each hot word has a 64-byte line of its own. Who reads and writes which word, in which mode, and what it protects
 * is the table in {@code docs/formats/log.md}.
 */
final class ControlLayout {

    static final String FORMAT = "LOGCTL";
    static final int VERSION = 1;
    static final int HEADER_BYTES = 128;
    static final String FILE_NAME = "log.ctl";

    static final StructLayout PAGE = MemoryLayout.structLayout(
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
                    MemoryLayout.paddingLayout(128).withName("gap"),
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

    static final StructLayout PLACE = MemoryLayout.structLayout(
                    Words.LONG.withName("counter"),
                    Words.LONG.withName("position"),
                    Words.LONG.withName("salt"),
                    Words.LONG.withName("check"))
            .withName("place");

    static final StructLayout SLOT =
            MemoryLayout.structLayout(line("generation"), line("pin")).withName("slot");

    static final long IDENTITY_HIGH = offsetOf("identity high");
    static final long IDENTITY_LOW = offsetOf("identity low");
    static final long CREATED = offsetOf("created");
    static final long LARGEST_SEGMENT = offsetOf("largest segment");
    static final long INTEGRITY = offsetOf("integrity");
    static final long SLOTS = offsetOf("slots");
    static final long RETENTION_BYTES = offsetOf("retention bytes");
    static final long RETENTION_AGE = offsetOf("retention age");
    static final long RETENTION_ABSENCE = offsetOf("retention absence");
    static final long FIRST = offsetOf("first");
    static final long TAIL = offsetOf("tail");
    static final long DURABLE = offsetOf("durable");
    static final long FAILED = offsetOf("failed");
    static final long WAKE_SEQUENCE = offsetOf("wake sequence");
    static final long WAKE_NEEDED = offsetOf("wake needed");
    static final long TIME = offsetOf("time");
    static final long STATE = offsetOf("state");
    static final long STATE_BYTES = 48;

    static final long PLACE_A = 4096;
    static final long PLACE_B = 8192;
    static final long SLOT_TABLE = 12288;
    static final long SLOT_BYTES = SLOT.byteSize();
    static final long SLOT_PIN = 64;
    static final int SLOT_COUNT = 1024;
    static final long SIZE_BYTES = SLOT_TABLE + SLOT_COUNT * SLOT_BYTES;

    static {
        assert FIRST % 64 == 0 && STATE % 64 == 0 && WAKE_SEQUENCE % 64 == 0 && SLOT_BYTES == 128;
        assert STATE + STATE_BYTES == PAGE.byteSize() && PAGE.byteSize() <= PLACE_A;
    }

    /** Odd, so that no two numbers have one check; that of 0 is 0, as a new file has it. */
    private static final int CHECK_FACTOR = 0x9E37_79B1;

    private ControlLayout() {}

    /**
     * Returns the word that says which segment is the first: <pre>
     * | check 32 | number 32 |
     * </pre>
     */
    static long first(int number) {
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

    static long generation(int slot) {
        return SLOT_TABLE + slot * SLOT_BYTES;
    }

    static long pin(int slot) {
        return generation(slot) + SLOT_PIN;
    }
}
