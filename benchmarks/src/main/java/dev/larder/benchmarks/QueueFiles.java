package dev.larder.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The directory for the queue of one iteration. */
final class QueueFiles {

    /** The bytes of messages that one measured call writes or reads. */
    static final long CALL_BYTES = 64L << 20;

    private QueueFiles() {}

    /**
     * Makes a directory below {@code larder.benchmarks.directory}, a system property, or below the working directory.
     */
    static Path create() throws IOException {
        Path parent = Path.of(System.getProperty("larder.benchmarks.directory", "."));
        return Files.createTempDirectory(parent.toAbsolutePath(), "larder-benchmark-");
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
