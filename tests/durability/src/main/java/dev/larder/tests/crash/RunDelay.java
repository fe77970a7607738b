package dev.larder.tests.crash;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The time for which the kernel has kept the calling thread, always the same one, waiting for a processor; 0 where unknown. */
final class RunDelay {

    private static final Path FILE = Path.of("/proc/thread-self/schedstat");

    private final byte[] line = new byte[128];
    private @Nullable RandomAccessFile file;

    long nanos() {
        if (!Files.exists(FILE)) {
            return 0;
        }
        try {
            RandomAccessFile open = file == null ? new RandomAccessFile(FILE.toFile(), "r") : file;
            file = open;
            open.seek(0);
            int length = open.read(line);
            return Long.parseLong(new String(line, 0, length, StandardCharsets.US_ASCII).split("\\s+", 3)[1]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
