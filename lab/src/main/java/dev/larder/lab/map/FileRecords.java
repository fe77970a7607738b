package dev.larder.lab.map;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Require;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Records of one size in sequence in a file, each at the place that its key's number gives: no index.
 *
 * <pre>
 * record    | there 8 | value |      there: 0 for none; in a mapped file, padded to 8
 * </pre>
 *
 * <p>Read and written by position, they show the file system's own cost: the bar for random reads beyond memory. In a
 * mapped file they are the control for stalls. A thread that touches an absent page waits inside the page fault, and
 * so does a request to stop all threads.
 */
final class FileRecords implements MapSubject {

    private static final int THERE_BYTES = Long.BYTES;

    private final boolean mapped;
    private @Nullable FileChannel channel;
    private Arena arena = Arena.ofShared();
    private MemorySegment records = MemorySegment.NULL;
    private MapShape shape = new MapShape(1, MapValue.BYTES_MIN);
    private ThreadLocal<ByteBuffer> buffers = ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(0));

    private FileRecords(boolean mapped) {
        this.mapped = mapped;
    }

    static FileRecords byPosition() {
        return new FileRecords(false);
    }

    static FileRecords inMappedFile() {
        return new FileRecords(true);
    }

    @Override
    public Figures open(Path directory, MapShape wanted) throws IOException {
        shape = wanted;
        buffers = ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(THERE_BYTES + wanted.valueBytes()));
        FileChannel opened = FileChannel.open(
                directory.resolve("records"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        channel = opened;
        arena = Arena.ofShared();
        if (mapped) {
            records = opened.map(MapMode.READ_WRITE, 0, wanted.mostEntries() * recordBytes(), arena);
        }
        return new Figures()
                .put(
                        "file",
                        "records of " + recordBytes() + " bytes, "
                                + (mapped ? "in a mapped file" : "read and written by position"))
                .put("survives", "the process; the machine after force, which the load ends with");
    }

    private FileChannel channel() {
        return Require.present(channel, "it is not open");
    }

    private long recordBytes() {
        long bytes = (long) THERE_BYTES + shape.valueBytes();
        return mapped ? (bytes + Long.BYTES - 1) & -Long.BYTES : bytes;
    }

    private long place(long key) {
        return MapValue.number(key) * recordBytes();
    }

    private boolean has(long key) throws IOException {
        return Long.compareUnsigned(MapValue.number(key), shape.mostEntries()) < 0
                && (mapped ? records.get(ValueLayout.JAVA_LONG, place(key)) != 0 : read(key));
    }

    /** Reads a record into the thread's buffer, up to its value; returns whether there is one. */
    private boolean read(long key) throws IOException {
        ByteBuffer record = buffers.get().clear();
        return channel().read(record, place(key)) == record.capacity()
                && record.flip().getLong() != 0;
    }

    @Override
    public void sync() throws IOException {
        if (mapped) {
            records.force();
        } else {
            channel().force(true);
        }
    }

    @Override
    public void put(long key, byte[] value) throws IOException {
        if (mapped) {
            MemorySegment.copy(value, 0, records, ValueLayout.JAVA_BYTE, place(key) + THERE_BYTES, value.length);
            records.set(ValueLayout.JAVA_LONG, place(key), 1);
        } else {
            write(key, buffers.get().clear().putLong(1).put(value).flip());
        }
    }

    private void write(long key, ByteBuffer record) throws IOException {
        long at = place(key);
        while (record.hasRemaining()) {
            at += channel().write(record, at);
        }
    }

    @Override
    public boolean get(long key, byte[] into) throws IOException {
        boolean there = has(key);
        if (there && mapped) {
            MemorySegment.copy(records, ValueLayout.JAVA_BYTE, place(key) + THERE_BYTES, into, 0, into.length);
        } else if (there) {
            buffers.get().get(into);
        }
        return there;
    }

    @Override
    public boolean remove(long key) throws IOException {
        boolean was = has(key);
        if (was && mapped) {
            records.set(ValueLayout.JAVA_LONG, place(key), 0);
        } else if (was) {
            write(key, buffers.get().clear().putLong(0).flip());
        }
        return was;
    }

    @Override
    public boolean readsInPlace() {
        return mapped;
    }

    @Override
    public long sum(long key) throws IOException {
        return has(key) ? MapValue.sum(records, place(key) + THERE_BYTES, shape.valueBytes()) : 0;
    }

    @Override
    public boolean isPersistent() {
        return true;
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
            arena.close();
        }
    }
}
