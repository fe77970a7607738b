package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Attempt;
import dev.larder.memory.PageCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Measures how fast the disk reads the files of an index, one after another, each from its beginning, to compare with the
 * loading of an index. It first drops the files from the page cache; afterwards they are there again.
 */
final class SequentialRead {

    private static final int BLOCK_BYTES = 4 << 20;
    private static final double MILLI = 1e6;

    private SequentialRead() {}

    /**
     * Reads all files of a directory.
     *
     * @return {@code bytes}, {@code ms}, and in {@code cached_reason} why they may have come from the page cache
     */
    static Figures of(Path directory) {
        return Attempt.giving("read the index in " + directory, () -> {
            List<Path> files = files(directory);
            Optional<String> cached = files.stream()
                    .flatMap(file -> PageCache.drop(file).stream())
                    .findFirst();
            long start = System.nanoTime();
            long bytes = read(files);
            return new Figures()
                    .put("bytes", bytes)
                    .put("ms", (System.nanoTime() - start) / MILLI)
                    .put("cached_reason", cached.orElse(null));
        });
    }

    /** Reads all files of a directory, so that later readers find them in the page cache. */
    static void warm(Path directory) {
        Attempt.to("read the index in " + directory, () -> read(files(directory)));
    }

    private static long read(List<Path> files) throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
        long bytes = 0;
        for (Path file : files) {
            bytes += read(file, block);
        }
        return bytes;
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    private static long read(Path file, ByteBuffer block) throws IOException {
        long bytes = 0;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (int count = 0; count >= 0; count = channel.read(block.clear())) {
                bytes += count;
            }
        }
        return bytes;
    }
}
