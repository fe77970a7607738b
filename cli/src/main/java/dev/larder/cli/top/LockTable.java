package dev.larder.cli.top;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

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
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
    private static final long FIRST_PROCESS_BYTE = 16;

    private LockTable() {}

    /** Returns how many processes have a log open for writing, by its lock file; empty if the system does not show it. */
    static OptionalLong holders(Path lockFile) {
        try {
            String device = device(lines(MOUNTS), lockFile.toRealPath());
            Object inode = Files.getAttribute(lockFile, "unix:ino");
            return OptionalLong.of(holders(lines(TABLE), device + ":" + inode));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return OptionalLong.empty();
        }
    }

    /** Names of mounts are bytes; this charset takes any. */
    private static List<String> lines(Path file) throws IOException {
        return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    }

    static long holders(List<String> locks, String file) {
        return locks.stream()
                .map(line -> line.strip().split("\\s+", -1))
                .filter(words -> isOfProcess(words, file))
                .count();
    }

    private static boolean isOfProcess(String[] words, String file) {
        return words.length == 8
                && words[3].equals("WRITE")
                && words[5].equals(file)
                && Long.parseLong(words[6]) >= FIRST_PROCESS_BYTE;
    }

    /**
     * Returns the device of a file as the table of locks names it, by the innermost mount around the file. The device that stat
     * tells is another one in a subvolume of btrfs.
     *
     * <pre>
     * 36 35 8:1 / /mnt rw - ext4 /dev/sda1 rw      mount, parent, device, root, folder
     * </pre>
     */
    static String device(List<String> mounts, Path file) {
        byte[] bytes = file.toString().getBytes(StandardCharsets.UTF_8);
        String path = new String(bytes, StandardCharsets.ISO_8859_1);
        String device = "0:0";
        int longest = -1;
        for (String line : mounts) {
            String[] words = line.split(" ", -1);
            String folder = unescaped(words[4]);
            if (folder.length() >= longest && isBelow(path, folder)) { // of equal ones, the last hides the others
                longest = folder.length();
                device = words[2];
            }
        }
        String[] numbers = device.split(":", -1);
        return String.format(Locale.ROOT, "%02x:%02x", Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
    }

    private static boolean isBelow(String path, String folder) {
        return folder.equals("/") || path.startsWith(folder + "/");
    }

    private static String unescaped(String folder) {
        return folder.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }
}
