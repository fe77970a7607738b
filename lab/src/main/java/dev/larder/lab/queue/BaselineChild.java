package dev.larder.lab.queue;

import dev.larder.cli.Figures;
import dev.larder.lab.process.ChildLoop;
import dev.larder.lab.result.LabException;
import dev.larder.lab.result.Require;
import dev.larder.lab.run.Records;
import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The child process that measures the machine's limits beside each burst.
 *
 * <p>Commands are {@code configure}, {@code measure} and {@code pwrite}. {@code measure} copies messages into present memory,
 * sums them there, copies them into a new mapped file, and writes as many bytes. {@code pwrite} only writes, in blocks of
 * 1 MiB into a reserved file, with write-back started behind, then syncs. Answers are times.
 */
final class BaselineChild {

    private static final int BLOCK_BYTES = 1 << 20;
    private static final long WRITEBACK_BYTES = 16L << 20;

    private final Storage storage = SystemStorage.system();
    private final MemorySegment block = Arena.global().allocate(BLOCK_BYTES, 4096);
    private final Deque<Path> kept = new ArrayDeque<>();
    private Records messages = new Records(1024, 0, 0);
    private @Nullable MemorySegment present;
    private Path directory = Path.of("");
    private long keptBytes;
    private long number;
    private int round;

    private BaselineChild() {}

    /** Serves the parent's questions. */
    public static void main(String[] arguments) throws IOException {
        BaselineChild child = new BaselineChild();
        new ChildLoop()
                .on("configure", child::configure)
                .on("measure", question -> child.measure(question.whole("bytes")))
                .on("pwrite", question -> new Figures().put("pwrite_ms", child.write(question.whole("bytes"))))
                .serve();
    }

    /**
     * Sets the message, the directory and the buffer.
     *
     * <p>{@code kept_bytes}: files that {@code pwrite} leaves, so that their cached pages fill the memory under a limit like
     * a queue's. Deleting each at once would give every burst free memory.
     */
    private Figures configure(Figures question) {
        messages = new Records((int) question.whole("message_bytes"), question.whole("seed"), 0);
        directory = Path.of(question.text("directory"));
        keptBytes = question.whole("kept_bytes");
        storage.createDirectories(directory, Access.OWNER);
        long buffer = question.whole("buffer_bytes");
        if (buffer > 0) {
            present = Arena.global().allocate(buffer, 4096).fill((byte) 1);
        }
        block.fill((byte) 0x5a);
        return new Figures();
    }

    private Figures measure(long bytes) {
        double scale = (double) bytes / buffer().byteSize();
        return new Figures()
                .put("copy_ms", copy() * scale)
                .put("sum_ms", sum() * scale)
                .put("first_touch_ms", touch() * scale)
                .put("pwrite_ms", write(bytes));
    }

    private double copy() {
        MemorySegment target = buffer();
        messages = messages.in(++round);
        long start = System.nanoTime();
        copyMessages(target);
        return millisSince(start);
    }

    private void copyMessages(MemorySegment target) {
        int length = messages.recordBytes();
        MemorySegment source = messages.segment();
        long end = target.byteSize() - length;
        long sequence = 0;
        for (long at = 0; at <= end; at += length) {
            MemorySegment.copy(source, messages.make(sequence++), target, at, length);
        }
    }

    private double sum() {
        MemorySegment target = buffer();
        int length = messages.recordBytes();
        long count = target.byteSize() / length;
        long start = System.nanoTime();
        long sum = 0;
        for (long at = 0; at < count * length; at += length) {
            sum += Records.sumWords(target, at, length);
        }
        double result = millisSince(start);
        if (sum != messages.sumOf(count)) {
            throw new LabException("the sum of the copied memory differs from the sum of its source");
        }
        return result;
    }

    private double touch() {
        Path path = next();
        try (Arena arena = Arena.ofShared();
                StorageFile file = storage.create(path, Access.OWNER).orElseThrow()) {
            long bytes = buffer().byteSize();
            file.allocate(bytes, Allocation.RESERVE);
            MemorySegment mapped = file.map(0, bytes, true, arena);
            long start = System.nanoTime();
            copyMessages(mapped);
            return millisSince(start);
        } finally {
            storage.delete(path);
        }
    }

    private double write(long bytes) {
        Path path = next();
        double result;
        try (StorageFile file = storage.create(path, Access.OWNER).orElseThrow()) {
            file.allocate(bytes, Allocation.RESERVE);
            long start = System.nanoTime();
            writeBlocks(file, bytes);
            file.forceAll();
            result = millisSince(start);
        }
        keep(path, bytes);
        return result;
    }

    private void writeBlocks(StorageFile file, long bytes) {
        long behind = 0;
        for (long at = 0; at < bytes; at += BLOCK_BYTES) {
            block.set(ValueLayout.JAVA_LONG, 0, at);
            long length = Math.min(BLOCK_BYTES, bytes - at);
            file.write(block.asSlice(0, length), at);
            if (at + length - behind >= WRITEBACK_BYTES) {
                file.startWriteback(behind, at + length - behind);
                behind = at + length;
            }
        }
    }

    private void keep(Path path, long bytes) {
        kept.add(path);
        while (!kept.isEmpty() && kept.size() * bytes > keptBytes) {
            storage.delete(kept.remove());
        }
    }

    private Path next() {
        return directory.resolve("plain-" + number++);
    }

    private MemorySegment buffer() {
        return Require.present(present, "no buffer was configured");
    }

    private static double millisSince(long start) {
        return (System.nanoTime() - start) / 1e6;
    }
}
