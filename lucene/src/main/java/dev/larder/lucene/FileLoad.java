package dev.larder.lucene;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The loading of one file from the folder into memory, in parts that several threads read.
 *
 * <pre>
 * file    |---- part ----|---- part ----|---- part ----|-- last --|
 * memory  |---- part ----|---- part ----|---- part ----|-- last --|.| up to a whole page
 * </pre>
 */
final class FileLoad {

    private static final long PART_BYTES = 4L << 20;

    private final IndexFile file;
    private final Folder folder;
    private final Block block;
    private final long lengthBytes;
    private final AtomicLong missingBytes;
    private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();

    /** The loading of a file into a block, which it holds until its end. */
    FileLoad(IndexFile file, Folder folder, Block block) {
        this.file = file;
        this.folder = folder;
        this.block = block;
        this.lengthBytes = file.lengthBytes();
        this.missingBytes = new AtomicLong(lengthBytes);
    }

    IndexFile file() {
        return file;
    }

    Block block() {
        return block;
    }

    long lengthBytes() {
        return lengthBytes;
    }

    /** Throws what went wrong, if something did. */
    void throwFailure() throws IOException {
        IOException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    /** Reads the whole file in the calling thread. */
    void readHere() throws IOException {
        for (long at = 0; at < lengthBytes; at += PART_BYTES) {
            folder.read(file.name(), block.memory(), at, Math.min(lengthBytes, at + PART_BYTES));
        }
    }

    /**
     * Reads the file in parts. The calling thread reads a part for which no other thread can be started.
     *
     * @param read receives the number of bytes of each part
     * @param done is run once, after the last part
     */
    void readBy(Executor executor, LongConsumer read, Runnable done) {
        for (long at = 0; at < lengthBytes; at += PART_BYTES) {
            long from = at;
            execute(executor, () -> readPart(from, Math.min(lengthBytes, from + PART_BYTES), read, done));
        }
    }

    private static void execute(Executor executor, Runnable part) {
        try {
            executor.execute(part);
        } catch (OutOfMemoryError e) { // unable to create native thread
            part.run();
        }
    }

    private void readPart(long from, long to, LongConsumer read, Runnable done) {
        try {
            if (failure.get() == null && !file.isDeleted()) {
                folder.read(file.name(), block.memory(), from, to);
                read.accept(to - from);
            }
        } catch (IOException e) {
            failure.compareAndSet(null, e);
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, new IOException(file.name() + ": cannot load", e));
        } finally {
            if (missingBytes.addAndGet(from - to) == 0) {
                done.run();
            }
        }
    }
}
