package dev.larder.cli;

import dev.larder.memory.LarderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The files of a log's segments, as they lie in a directory, for who cannot open the log. */
public final class SegmentFiles {

    private static final long SEGMENT_BYTES = 256L << 20;
    private static final long SEGMENT_MAX_BYTES = 4L << 30;

    private SegmentFiles() {}

    /** Returns a size of segments, a power of two, into which fits whatever fits into those there. */
    public static long largestSegmentBytes(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            long largest = files.filter(file -> file.toString().endsWith(".seg"))
                    .mapToLong(file -> file.toFile().length())
                    .max()
                    .orElse(0);
            return Math.clamp(Long.highestOneBit(Math.max(1, largest)), SEGMENT_BYTES, SEGMENT_MAX_BYTES);
        } catch (IOException e) {
            throw new LarderException("cannot read the directory " + directory + ": " + e.getMessage(), e);
        }
    }
}
