package dev.larder.map;

import dev.larder.map.format.CheckpointLayout;
import dev.larder.memory.Crc32c;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.Words;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * A log as it is when all segments below a number were written and dropped. It is made from a log of a single segment, 0, that no
 * process has open, by rewriting its files as {@code docs/formats/log.md} describes them.
 *
 * <p>A check mixes salt and position by an exclusive or. So a salt that is changed by the same bits as the number keeps all
 * checks: those of records, of rows, of seals.
 */
final class LaterLog {

    private static final int HEADER_BYTES = 128;
    private static final long NUMBER = 64;
    private static final long SALT = 72;
    private static final long HINT = 192;
    private static final long BASE_SEQUENCE = 256;
    private static final long BASE_CHECK = 264;

    private static final long FIRST = 256;
    private static final long FIRST_CHECK = 0x9E37_79B1L;
    private static final long TAIL = 320;
    private static final long DURABLE = 384;
    private static final long STATE = 1024;
    private static final long STATE_TAIL = STATE + 8;
    private static final long STATE_DURABLE = STATE + 16;
    private static final long STATE_BOOT = STATE + 24;
    private static final long STATE_CHECK = STATE + 40;
    private static final long[] PLACES = {4096, 8192};

    private LaterLog() {}

    /** Makes the log of a map begin with a segment of this number, and deletes the checkpoint of its index. */
    static void beginAt(Path directory, int number) throws IOException {
        Files.deleteIfExists(directory.resolve(CheckpointLayout.FILE_NAME));
        Path segment = directory.resolve(fileName(0));
        change(segment, memory -> moveSegment(memory, number));
        Files.move(segment, directory.resolve(fileName(number)));
        change(directory.resolve("log.ctl"), memory -> moveControl(memory, number));
    }

    /** Makes the next opening believe that the machine was started anew since the log was left. */
    static void forgetBoot(Path directory) throws IOException {
        change(directory.resolve("log.ctl"), memory -> {
            Words.setPlain(memory, STATE_BOOT, 1);
            Words.setPlain(memory, STATE_CHECK, check(memory, STATE, 40));
        });
    }

    static String fileName(int number) {
        return String.format(Locale.ROOT, "%010d.seg", number);
    }

    private static void change(Path path, Consumer<MemorySegment> change) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
                Arena arena = Arena.ofConfined()) {
            change.accept(file.map(FileChannel.MapMode.READ_WRITE, 0, file.size(), arena));
        }
    }

    private static void moveSegment(MemorySegment memory, int number) {
        Words.setPlain(memory, NUMBER, number);
        add(memory, SALT, number);
        add(memory, HINT, number);
        Words.setPlain(memory, BASE_SEQUENCE, 1);
        Words.setPlain(memory, BASE_CHECK, baseCheck(Words.getPlain(memory, SALT), (long) number << 32, 1));
        FileHeader.write(memory, "LOGSEG", 1, HEADER_BYTES, Features.NONE);
    }

    private static void moveControl(MemorySegment memory, int number) {
        Words.setPlain(memory, FIRST, ((long) (int) (number * FIRST_CHECK) << Integer.SIZE) | number);
        Words.setPlain(memory, TAIL, number);
        add(memory, DURABLE, number);
        add(memory, STATE_TAIL, number);
        add(memory, STATE_DURABLE, number);
        Words.setPlain(memory, STATE_CHECK, check(memory, STATE, 40));
        for (long place : PLACES) {
            add(memory, place + 8, number);
            add(memory, place + 16, number);
            Words.setPlain(memory, place + 24, check(memory, place, 24));
        }
    }

    /** Adds a segment's number to a position, or to a salt, of segment 0. */
    private static void add(MemorySegment memory, long at, int number) {
        Words.setPlain(memory, at, Words.getPlain(memory, at) ^ (long) number << 32);
    }

    private static long check(MemorySegment memory, long at, long length) {
        return (1L << 32) | Integer.toUnsignedLong(Crc32c.of(memory, at, length));
    }

    private static long baseCheck(long salt, long position, long base) {
        long mixed = (salt ^ position ^ 3) * 0x9E37_79B9_7F4A_7C15L;
        mixed = (mixed ^ (mixed >>> 32) ^ base) * 0xD6E8_FEB8_6659_FD93L;
        return (1L << 32) | mixed >>> 32;
    }
}
