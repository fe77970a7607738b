package dev.larder.lab.machine;

import dev.larder.cli.LiveFiles;
import dev.larder.lab.result.Attempt;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.SortedMap;
import java.util.SplittableRandom;

/**
 * The bytes of a directory's files in the page cache, whichever process is charged for them.
 *
 * <p>It samples one page of each stride at a random place (by mincore, which loads nothing). The page stands for its
 * stride. For 16 GiB, it samples 65,536 pages, with an error far below 1 %.
 */
public final class CachedPages {

    private static final long PAGE_BYTES = 4096;
    private static final long SAMPLES = 65_536;
    private static final long STRIDE_BYTES_MIN = 64 << 10;

    private final SplittableRandom random = new SplittableRandom(1);
    private final Path directory;

    public CachedPages(Path directory) {
        this.directory = directory;
    }

    /** Returns the estimate; 0 if the directory does not exist. */
    public long bytes() {
        if (!Files.isDirectory(directory)) {
            return 0;
        }
        return Attempt.giving("look at the cached pages of " + directory, () -> {
            SortedMap<Path, Long> files = LiveFiles.sizes(directory, 1);
            long stride = stride(files.values());
            long cached = 0;
            for (Path file : files.keySet()) {
                cached += bytes(file, stride);
            }
            return cached;
        });
    }

    private static long stride(Collection<Long> sizes) {
        long total = sizes.stream().mapToLong(Long::longValue).sum();
        return Math.max(STRIDE_BYTES_MIN, total / SAMPLES / PAGE_BYTES * PAGE_BYTES);
    }

    private long bytes(Path file, long stride) throws IOException {
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            long cached = 0;
            for (long at = 0; at < mapped.byteSize(); at += stride) {
                long pages = Math.max(1, Math.min(stride, mapped.byteSize() - at) / PAGE_BYTES);
                long page = at + random.nextLong(pages) * PAGE_BYTES;
                long length = Math.min(PAGE_BYTES, mapped.byteSize() - page);
                if (mapped.asSlice(page, length).isLoaded()) {
                    cached += Math.min(stride, mapped.byteSize() - at);
                }
            }
            return cached;
        } catch (NoSuchFileException e) {
            return 0; // removed meanwhile
        }
    }
}
