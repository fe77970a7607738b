package dev.larder.lucene;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.IndexOutput;
import org.jspecify.annotations.Nullable;

/**
 * An output that writes a file directly into its memory, where it stays; there is no buffer to copy.
 *
 * <pre>
 * |------- the file's block --------|.............|        |== on the disk ==|-- window --|
 * 0                position       limit         room       0               origin      limit
 *                 in memory                                       left on the disk
 * </pre>
 */
final class LarderIndexOutput extends IndexOutput {

    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final MemorySegment NOTHING = Arena.global().allocate(1).asSlice(1);
    private static final long WINDOW_BYTES = 256L << 10;
    private static final long CHECKSUM_BYTES = 1L << 30; // in one call

    private final IndexFile file;
    private final FileMemory source;
    private final long expectedBytes;
    private final CRC32 checksum = new CRC32();

    private @Nullable Block block; // null before the first byte, and if the file is left on the disk
    private MemorySegment memory = NOTHING;
    private long position;
    private long limit;
    private long origin;
    private long summed;
    private boolean isOnDisk;
    private boolean isClosed;

    LarderIndexOutput(String description, IndexFile file, FileMemory source, long expectedBytes) {
        super(description, file.name());
        this.file = file;
        this.source = source;
        this.expectedBytes = expectedBytes;
    }

    @Override
    public void writeByte(byte value) throws IOException {
        if (position == limit) {
            makeRoom(Byte.BYTES);
        }
        memory.set(BYTE, position, value);
        position++;
    }

    @Override
    public void writeShort(short value) throws IOException {
        if (limit - position < Short.BYTES) {
            makeRoom(Short.BYTES);
        }
        memory.set(SHORT, position, value);
        position += Short.BYTES;
    }

    @Override
    public void writeInt(int value) throws IOException {
        if (limit - position < Integer.BYTES) {
            makeRoom(Integer.BYTES);
        }
        memory.set(INT, position, value);
        position += Integer.BYTES;
    }

    @Override
    public void writeLong(long value) throws IOException {
        if (limit - position < Long.BYTES) {
            makeRoom(Long.BYTES);
        }
        memory.set(LONG, position, value);
        position += Long.BYTES;
    }

    @Override
    public void writeBytes(byte[] bytes, int offset, int length) throws IOException {
        for (int done = 0; done < length; ) {
            int part = room(length - done);
            MemorySegment.copy(bytes, offset + done, memory, BYTE, position, part);
            position += part;
            done += part;
        }
    }

    /** Copies from another file in memory without passing through the heap. */
    @Override
    public void copyBytes(DataInput input, long count) throws IOException {
        if (!(input instanceof LarderIndexInput other)) {
            super.copyBytes(input, count);
            return;
        }
        for (long done = 0; done < count; ) {
            int part = room(count - done);
            other.readBytes(memory, position, part);
            position += part;
            done += part;
        }
    }

    /** Returns how many bytes of those wanted can be written at once, at least one. */
    private int room(long wanted) throws IOException {
        if (position == limit) {
            makeRoom(Math.min(wanted, WINDOW_BYTES));
        }
        return (int) Math.min(Math.min(limit - position, wanted), Integer.MAX_VALUE);
    }

    /** Makes room for the given number of bytes, at most one window. */
    private void makeRoom(long bytes) throws IOException {
        if (isClosed) {
            throw new AlreadyClosedException("closed: " + this);
        }
        if (!isOnDisk) {
            growInMemory(bytes);
        }
        if (isOnDisk && limit - position < bytes) {
            flushWindow();
        }
    }

    private void growInMemory(long bytes) throws IOException {
        file.grow(position);
        throwFailure();
        Block grown = source.grow(file, block, position, bytes, expectedBytes);
        if (grown == null) {
            leaveOnDisk();
        } else {
            block = grown;
            memory = grown.memory();
            limit = Math.min(grown.chargedBytes(), grown.roomBytes());
        }
    }

    private void throwFailure() throws IOException {
        if (file.writeBack().isPresent()) {
            file.writeBack().get().throwFailure();
        }
    }

    /** Moves the file to the disk, because there is no room for the rest: first the bytes in memory, then the rest. */
    private void leaveOnDisk() throws IOException {
        sum();
        MemorySegment window = window(); // before the memory goes: without a window the file stays as it is
        writeBack().finishNow(memory.asSlice(0, position));
        file.place(null);
        letGo();
        memory = window;
        isOnDisk = true;
        origin += position;
        startWindow();
    }

    /** Allocates the window outside the heap, if {@code -XX:MaxDirectMemorySize} allows it. */
    private static MemorySegment window() {
        try {
            return Arena.ofAuto().allocate(WINDOW_BYTES, Long.BYTES);
        } catch (OutOfMemoryError e) {
            return MemorySegment.ofArray(new byte[(int) WINDOW_BYTES]);
        }
    }

    private void letGo() {
        if (block != null) {
            block.release();
            block = null;
        }
    }

    private void flushWindow() throws IOException {
        sum();
        writeBack().appendNow(memory.asSlice(0, position));
        origin += position;
        startWindow();
        file.grow(origin);
    }

    private void startWindow() {
        position = 0;
        summed = 0;
        limit = WINDOW_BYTES;
    }

    private WriteBack writeBack() {
        return file.writeBack().orElseThrow(() -> new AssertionError("nothing stays on a disk that is not there"));
    }

    @Override
    public long getFilePointer() {
        return origin + position;
    }

    @Override
    public long getChecksum() {
        if (isClosed && summed < position) {
            throw new AlreadyClosedException("closed: " + this);
        }
        sum();
        return checksum.getValue();
    }

    private void sum() {
        while (summed < position) {
            long part = Math.min(position - summed, CHECKSUM_BYTES);
            checksum.update(memory.asSlice(summed, part).asByteBuffer());
            summed += part;
        }
    }

    /**
     * Completes the file, and gives back the memory that it does not need. Only {@code sync} ensures that it is on the disk.
     */
    @Override
    public void close() throws IOException {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try {
            finish();
        } finally {
            limit = position;
            letGo();
            file.finish();
            file.writeBack().ifPresent(WriteBack::complete);
        }
    }

    private void finish() throws IOException {
        if (isOnDisk) {
            flushWindow();
        } else {
            file.grow(position);
            source.finish(file, block, position);
        }
        throwFailure();
    }
}
