package dev.larder.cli.top;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The counters that a HotSpot JVM shows to all processes of its user, in {@code /tmp/hsperfdata_<user>/<pid>}.
 *
 * <pre>
 *  0        4     5   6   7   8      12         16        24        28       32
 *  | cafec0c0 | order | version | 1 | used | overflow | changed | entries at | count |
 *  entry: | length 4 | name at 4 | elements 4 | type 1 | flags 1 | unit 1 | kind 1 | value at 4 |
 * </pre>
 */
final class PerformanceData {

    private static final int MAGIC = 0xcafec0c0;
    private static final String FOLDERS = "hsperfdata_*";
    private static final String OWNER = "unix:uid";
    private static final String PAUSED_TICKS = "sun.rt.safepointTime";
    private static final String TICKS_A_SECOND = "sun.os.hrt.frequency";

    private static final int BYTES_MOST = 1 << 20;
    private static final int ENTRY_BYTES_LEAST = 20;

    private PerformanceData() {}

    /** Returns how long a JVM has stood at safepoints since it started; empty if it does not report that. */
    static OptionalDouble pausedSeconds(long pid) {
        Path folder = Path.of("/tmp"); // HotSpot does not ask java.io.tmpdir
        return pausedSeconds(folder, pid, Path.of("/proc", Long.toString(pid)));
    }

    /** Returns the same, for a process whose folder has the process's owner. */
    static OptionalDouble pausedSeconds(Path folder, long pid, Path process) {
        byte[] file = file(folder, pid, process);
        return file == null ? OptionalDouble.empty() : pausedSeconds(file);
    }

    static OptionalDouble pausedSeconds(byte[] file) {
        try {
            Map<String, Long> values = values(ByteBuffer.wrap(file));
            Long ticks = values.get(PAUSED_TICKS);
            Long frequency = values.get(TICKS_A_SECOND);
            return ticks == null || frequency == null || frequency <= 0
                    ? OptionalDouble.empty()
                    : OptionalDouble.of((double) ticks / frequency);
        } catch (IndexOutOfBoundsException | BufferUnderflowException e) {
            return OptionalDouble.empty(); // being written
        }
    }

    private static byte @Nullable [] file(Path folder, long pid, Path process) {
        try (DirectoryStream<Path> users = Files.newDirectoryStream(folder, FOLDERS)) {
            Object owner = Files.getAttribute(process, OWNER);
            for (Path user : users) {
                Path file = user.resolve(Long.toString(pid));
                if (isOf(owner, user) && isOf(owner, file) && Files.isRegularFile(file, NOFOLLOW_LINKS)) {
                    return read(file);
                }
            }
        } catch (IOException | UnsupportedOperationException e) {
            return null; // there is no such folder, or the JVM has ended
        }
        return null;
    }

    /**
     * Returns whether the owner of a process has made a file. Everyone may make files here, also a pipe that nobody writes, or a
     * link.
     */
    private static boolean isOf(Object owner, Path file) throws IOException {
        return Files.exists(file, NOFOLLOW_LINKS) && owner.equals(Files.getAttribute(file, OWNER, NOFOLLOW_LINKS));
    }

    private static byte[] read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file, NOFOLLOW_LINKS)) {
            return in.readNBytes(BYTES_MOST);
        }
    }

    private static Map<String, Long> values(ByteBuffer file) {
        Map<String, Long> values = new HashMap<>();
        if (file.remaining() < 32 || file.getInt(0) != MAGIC) {
            return values;
        }
        file.order(file.get(4) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        int at = file.getInt(24);
        for (int left = file.getInt(28); left > 0; left--) {
            int length = file.getInt(at);
            if (length < ENTRY_BYTES_LEAST) {
                return values; // being written, or no entry
            }
            boolean isNumber = file.get(at + 12) == 'J' && file.getInt(at + 8) == 0;
            if (isNumber) {
                String name = name(file, at + file.getInt(at + 4), at + length);
                values.put(name, file.getLong(at + file.getInt(at + 16)));
            }
            at += length;
        }
        return values;
    }

    /** Returns the name at a place, which ends within its entry. */
    private static String name(ByteBuffer file, int at, int limit) {
        int end = at;
        while (end < limit && file.get(end) != 0) {
            end++;
        }
        byte[] name = new byte[Math.max(0, end - at)];
        file.get(at, name);
        return new String(name, StandardCharsets.US_ASCII);
    }
}
