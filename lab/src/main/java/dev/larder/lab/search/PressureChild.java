package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.load.Pacer;
import dev.larder.lab.process.ChildLoop;
import dev.larder.lab.result.Directories;
import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The process that takes the page cache from a server under the same memory limit. It writes files, one after another,
 * reads them all, and begins again, like a backup or a log.
 *
 * <ul>
 *   <li>{@code start {"directory", "bytes", "bytes_per_s"}}: begins with files of so many bytes in all;
 *   <li>{@code moved}: answers with {@code written_bytes} and {@code read_bytes} so far.
 * </ul>
 */
public final class PressureChild {

    private static final int BLOCK_BYTES = 1 << 20;
    private static final long FILE_BYTES = 64L << 20;
    private static final double SECOND_NANOS = 1e9;

    private final AtomicLong written = new AtomicLong();
    private final AtomicLong read = new AtomicLong();
    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    private final Pacer pacer = new Pacer(0);
    private volatile @Nullable IOException failure;
    private long start;
    private double bytesPerSecond;

    private PressureChild() {
        SplittableRandom random = new SplittableRandom(1);
        while (block.hasRemaining()) {
            block.putLong(random.nextLong());
        }
    }

    /** Serves a conductor until it ends. */
    public static void main(String[] arguments) throws IOException {
        PressureChild child = new PressureChild();
        new ChildLoop()
                .on("start", child::start)
                .on("moved", settings -> child.moved())
                .serve();
    }

    private Figures start(Figures settings) {
        Path directory = Directories.create(Path.of(settings.text("directory")));
        long files = Math.max(1, settings.whole("bytes") / FILE_BYTES);
        bytesPerSecond = settings.number("bytes_per_s");
        start = System.nanoTime();
        Thread.ofPlatform().daemon().name("pressure").start(() -> run(directory, files));
        return new Figures();
    }

    private void run(Path directory, long files) {
        try {
            while (true) {
                for (long file = 0; file < files; file++) {
                    write(directory.resolve("file-" + file));
                }
                for (long file = 0; file < files; file++) {
                    read(directory.resolve("file-" + file));
                }
            }
        } catch (IOException e) {
            failure = e;
        }
    }

    private void write(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            for (long at = 0; at < FILE_BYTES; at += BLOCK_BYTES) {
                block.clear();
                channel.write(block);
                pace(written);
            }
        }
    }

    private void read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (long at = 0; at < FILE_BYTES; at += BLOCK_BYTES) {
                block.clear();
                channel.read(block);
                pace(read);
            }
        }
    }

    private void pace(AtomicLong moved) {
        moved.addAndGet(BLOCK_BYTES);
        double due = (written.get() + read.get()) / bytesPerSecond * SECOND_NANOS;
        pacer.await(start + (long) due);
    }

    private Figures moved() {
        IOException failed = failure;
        if (failed != null) {
            throw new LabException("the companion no longer uses the page cache: " + failed.getMessage(), failed);
        }
        return new Figures().put("written_bytes", written.get()).put("read_bytes", read.get());
    }
}
