package dev.larder.tests.crash;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** How long the kernel has kept the calling thread, always the same one, waiting for a processor; 0 where unknown. */
final class RunDelay {

    private static final Path FILE = Path.of("/proc/thread-self/schedstat");

    private @Nullable RandomAccessFile file;

    long nanos() {
        if (!Files.exists(FILE)) {
            return 0;
        }
        try {
            RandomAccessFile open = file == null ? new RandomAccessFile(FILE.toFile(), "r") : file;
            file = open;
            open.seek(0);
            return Long.parseLong(open.readLine().split(" ", 3)[1]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
