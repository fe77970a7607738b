package dev.larder.lab.map;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Require;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * What the file system itself takes: records of one size in a file, one after the other, of which the number of a key
 * says the place. A get is one positional read. No index, and nothing is mapped: beyond memory, the bar for reads at random.
 *
 * <pre>
 * record    | there 8 | value |      there: 0 for none
 * </pre>
 */
final class PlainFileRecords implements MapSubject {

    private static final int THERE_BYTES = Long.BYTES;

    private @Nullable FileChannel channel;
    private MapShape shape = new MapShape(1, MapValue.BYTES_MIN);
    private ThreadLocal<ByteBuffer> buffers = ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(0));

    @Override
    public Figures open(Path directory, MapShape wanted) throws IOException {
        shape = wanted;
        buffers = ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(THERE_BYTES + wanted.valueBytes()));
        channel = FileChannel.open(
                directory.resolve("records"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        return new Figures()
                .put(
                        "file",
                        "records of " + (THERE_BYTES + wanted.valueBytes()) + " bytes, read and written by position")
                .put("survives", "the process; the machine after force, which the load ends with");
    }

    private FileChannel channel() {
        return Require.present(channel, "it is not open");
    }

    @Override
    public void sync() throws IOException {
        channel().force(true);
    }

    private long place(long key) {
        return MapValue.number(key) * (THERE_BYTES + shape.valueBytes());
    }

    private boolean has(long key) {
        return Long.compareUnsigned(MapValue.number(key), shape.mostEntries()) < 0;
    }

    @Override
    public void put(long key, byte[] value) throws IOException {
        write(key, buffers.get().clear().putLong(1).put(value).flip());
    }

    private void write(long key, ByteBuffer record) throws IOException {
        long at = place(key);
        while (record.hasRemaining()) {
            at += channel().write(record, at);
        }
    }

    @Override
    public boolean get(long key, byte[] into) throws IOException {
        ByteBuffer record = buffers.get().clear();
        if (!has(key)
                || channel().read(record, place(key)) < record.capacity()
                || record.flip().getLong() == 0) {
            return false;
        }
        record.get(into);
        return true;
    }

    @Override
    public boolean remove(long key) throws IOException {
        boolean was = get(key, new byte[shape.valueBytes()]);
        if (was) {
            write(key, buffers.get().clear().putLong(0).flip());
        }
        return was;
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
        }
    }
}
