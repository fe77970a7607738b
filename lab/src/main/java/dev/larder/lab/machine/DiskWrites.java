package dev.larder.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The bytes that a folder's disk has written, for all processes. {@code /proc/PID/io} is useless here: if a process rewrites
 * one byte of a large folio, it counts the whole folio, up to 2 MiB. The disk gets one block.
 */
public final class DiskWrites {

    private static final int SECTOR_BYTES = 512;
    private static final int SECTORS_WRITTEN = 6;

    private DiskWrites() {}

    /** Returns the bytes since the system's start; NaN if unknown. */
    public static double bytes(Path folder) {
        try {
            Path stat = Path.of("/sys/dev/block", device((long) Files.getAttribute(folder, "unix:dev")), "stat");
            return Files.isReadable(stat) ? writtenBytes(Files.readString(stat)) : Double.NaN;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return Double.NaN;
        }
    }

    /** Returns the bytes in a line of the kernel's block statistics. */
    static double writtenBytes(String stat) {
        return Double.parseDouble(stat.strip().split("\\s+", -1)[SECTORS_WRITTEN]) * SECTOR_BYTES;
    }

    private static String device(long number) {
        long major = (number >>> 8 & 0xfff) | (number >>> 32 & ~0xfffL);
        long minor = (number & 0xff) | (number >>> 12 & 0xffffff00L);
        return major + ":" + minor;
    }
}
