package dev.larder.tests.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that reports when the kernel frees a byte of a lock file: {@code <file> <byte>} in, {@code FREE <ns>} out.
 *
 * <p>It is a process of its own, because closing any descriptor of a file drops the POSIX locks of the whole process. It takes
 * a shared lock, and releases it at once.
 */
public final class LockProbe {

    private static final long PAUSE_NANOS = 100_000;

    private LockProbe() {}

    /** Answers each line until standard input ends. */
    public static void main(String[] args) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            int blank = line.lastIndexOf(' ');
            Path file = Path.of(line.substring(0, blank));
            out.println("FREE " + awaitFree(file, Long.parseLong(line.substring(blank + 1))));
        }
    }

    private static long awaitFree(Path file, long at) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            while (!isFree(channel, at)) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            return System.nanoTime();
        }
    }

    private static boolean isFree(FileChannel channel, long at) throws IOException {
        FileLock lock = channel.tryLock(at, 1, true);
        if (lock != null) {
            lock.release();
        }
        return lock != null;
    }
}
