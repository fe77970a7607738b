package dev.larder.cli.top;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The kernel's table of locks. Each process that has a log open for writing holds a byte of the log's {@code log.lck}.
 *
 * <pre>
 * 1: OFDLCK ADVISORY  WRITE -1 08:01:131 16 16      number, kind, mode, process, device:inode, first byte, last byte
 * </pre>
 *
 * <p>It reads the table and does not try the locks, because a tried lock blocks other processes for a moment.
 */
final class LockTable {

    private static final Path TABLE = Path.of("/proc/locks");
    private static final long FIRST_PROCESS_BYTE = 16;

    private LockTable() {}

    /** Returns how many processes have a log open for writing, by its lock file; empty if the system does not show it. */
    static OptionalLong holders(Path lockFile) {
        try (Stream<String> lines = Files.lines(TABLE)) {
            String inode = ":" + Files.getAttribute(lockFile, "unix:ino");
            return OptionalLong.of(lines.map(line -> line.strip().split("\\s+", -1))
                    .filter(words -> isOfProcess(words, inode))
                    .count());
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return OptionalLong.empty();
        }
    }

    private static boolean isOfProcess(String[] words, String inode) {
        return words.length == 8
                && words[3].equals("WRITE")
                && words[5].endsWith(inode)
                && Long.parseLong(words[6]) >= FIRST_PROCESS_BYTE;
    }
}
