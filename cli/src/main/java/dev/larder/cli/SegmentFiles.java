package dev.larder.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The segment files of a log in a directory, for a command that cannot open the log. */
public final class SegmentFiles {

    private static final long SEGMENT_BYTES = 256L << 20;
    private static final long SEGMENT_MAX_BYTES = 4L << 30;

    private SegmentFiles() {}

    /** Returns a segment size, a power of two, in which every record of the existing segments fits. */
    public static long largestSegmentBytes(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            long largest = files.filter(SegmentFiles::isSegment)
                    .mapToLong(file -> file.toFile().length())
                    .max()
                    .orElse(0);
            return Math.clamp(Long.highestOneBit(Math.max(1, largest)), SEGMENT_BYTES, SEGMENT_MAX_BYTES);
        } catch (IOException e) {
            throw GivenDirectory.unreadable(directory, e);
        }
    }

    /** Returns whether a directory has any segment files. */
    public static boolean areIn(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.anyMatch(SegmentFiles::isSegment);
        } catch (IOException e) {
            throw GivenDirectory.unreadable(directory, e);
        }
    }

    private static boolean isSegment(Path file) {
        return file.toString().endsWith(".seg");
    }
}
