package dev.larder.lucene;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Optional;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.apache.lucene.store.RandomAccessInput;
import org.jspecify.annotations.Nullable;

/**
 * An input that reads a file, or a slice of it, from one segment: memory or a mapping.
 *
 * <p>Only the {@link Opening} is checked beforehand. The segment itself refuses a read outside of it, and the error is
 * translated where it is caught. A read of many bytes checks the opening once more at its end.
 */
final class LarderIndexInput extends IndexInput implements MemorySegmentAccessInput {

    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment segment;
    private final long length;
    private final boolean isOriginal;
    private Opening opening;
    private Pages pages;
    private long position;

    /** Creates the input of a whole file and applies how it will be read. Closing it ends the opening. */
    LarderIndexInput(String description, IndexFile.Source source, IOContext context) {
        this(description, source.bytes(), source.opening(), source.pages().expect(source.bytes(), context), true);
    }

    private LarderIndexInput(
            String description, MemorySegment segment, Opening opening, Pages pages, boolean isOriginal) {
        super(description);
        this.segment = segment;
        this.length = segment.byteSize();
        this.opening = opening;
        this.pages = pages;
        this.isOriginal = isOriginal;
    }

    private MemorySegment open() {
        if (opening.isClosed()) {
            throw closed(null);
        }
        return segment;
    }

    /** Checks again after a copy: the copied bytes may be zeros if another thread has closed the input meanwhile. */
    private void checkStillOpen() {
        VarHandle.loadLoadFence();
        open();
    }

    @Override
    public byte readByte() throws IOException {
        try {
            byte value = open().get(BYTE, position);
            position++;
            return value;
        } catch (IndexOutOfBoundsException e) {
            throw beyond(position, Byte.BYTES, e);
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    @Override
    public short readShort() throws IOException {
        try {
            short value = open().get(SHORT, position);
            position += Short.BYTES;
            return value;
        } catch (IndexOutOfBoundsException e) {
            throw beyond(position, Short.BYTES, e);
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    @Override
    public int readInt() throws IOException {
        try {
            int value = open().get(INT, position);
            position += Integer.BYTES;
            return value;
        } catch (IndexOutOfBoundsException e) {
            throw beyond(position, Integer.BYTES, e);
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    @Override
    public long readLong() throws IOException {
        try {
            long value = open().get(LONG, position);
            position += Long.BYTES;
            return value;
        } catch (IndexOutOfBoundsException e) {
            throw beyond(position, Long.BYTES, e);
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    @Override
    public void readBytes(byte[] target, int offset, int count) throws IOException {
        try {
            MemorySegment.copy(open(), BYTE, position, target, offset, count);
            checkStillOpen();
            position += count;
        } catch (IndexOutOfBoundsException e) {
            throw beyond(position, count, e);
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    @Override
    public void readInts(int[] target, int offset, int count) throws IOException {
        try {
            MemorySegment.copy(open(), INT, position, target, offset, count);
            checkStillOpen();
            position += (long) count * Integer.BYTES;
        } catch (IndexOutOfBoundsException e) {
            throw beyond(position, (long) count * Integer.BYTES, e);
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    @Override
    public void readLongs(long[] target, int offset, int count) throws IOException {
        try {
            MemorySegment.copy(open(), LONG, position, target, offset, count);
            checkStillOpen();
            position += (long) count * Long.BYTES;
        } catch (IndexOutOfBoundsException e) {
            throw beyond(position, (long) count * Long.BYTES, e);
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    @Override
    public void readFloats(float[] target, int offset, int count) throws IOException {
        try {
            MemorySegment.copy(open(), FLOAT, position, target, offset, count);
            checkStillOpen();
            position += (long) count * Float.BYTES;
        } catch (IndexOutOfBoundsException e) {
            throw beyond(position, (long) count * Float.BYTES, e);
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    @Override
    public byte readByte(long at) throws IOException {
        try {
            return open().get(BYTE, at);
        } catch (IndexOutOfBoundsException e) {
            throw beyond(at, Byte.BYTES, e);
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    @Override
    public short readShort(long at) throws IOException {
        try {
            return open().get(SHORT, at);
        } catch (IndexOutOfBoundsException e) {
            throw beyond(at, Short.BYTES, e);
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    @Override
    public int readInt(long at) throws IOException {
        try {
            return open().get(INT, at);
        } catch (IndexOutOfBoundsException e) {
            throw beyond(at, Integer.BYTES, e);
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    @Override
    public long readLong(long at) throws IOException {
        try {
            return open().get(LONG, at);
        } catch (IndexOutOfBoundsException e) {
            throw beyond(at, Long.BYTES, e);
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    @Override
    public void readBytes(long at, byte[] target, int offset, int count) throws IOException {
        try {
            MemorySegment.copy(open(), BYTE, at, target, offset, count);
            checkStillOpen();
        } catch (IndexOutOfBoundsException e) {
            throw beyond(at, count, e);
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    /** Copies the next bytes to memory without passing through the heap. */
    void readBytes(MemorySegment target, long offset, long count) throws IOException {
        try {
            MemorySegment.copy(open(), position, target, offset, count);
            checkStillOpen();
            position += count;
        } catch (IndexOutOfBoundsException e) {
            throw beyond(position, count, e);
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    @Override
    public @Nullable MemorySegment segmentSliceOrNull(long at, long count) throws IOException {
        if ((at | count) < 0 || at > length - count) {
            throw new EOFException("read past the end: " + count + " bytes at " + at + " of " + length + ": " + this);
        }
        return open().asSlice(at, count);
    }

    @Override
    public long getFilePointer() {
        open();
        return position;
    }

    @Override
    public void seek(long to) throws IOException {
        open();
        if (to < 0 || to > length) {
            throw outside("seek", to, null);
        }
        position = to;
    }

    @Override
    public void skipBytes(long count) throws IOException {
        if (count < 0) {
            throw new IllegalArgumentException("skip " + count + " bytes: the least is 0: " + this);
        }
        if (count > length - position) {
            open();
            throw outside("skip " + count + " bytes at", position, null);
        }
        seek(position + count);
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public LarderIndexInput clone() {
        LarderIndexInput clone = new LarderIndexInput(toString(), open(), opening, pages, false);
        clone.position = position;
        return clone;
    }

    @Override
    public LarderIndexInput slice(String description, long offset, long count) {
        return slice(description, offset, count, pages);
    }

    @Override
    public LarderIndexInput slice(String description, long offset, long count, IOContext context) {
        LarderIndexInput slice = slice(description, offset, count);
        slice.updateIOContext(context);
        return slice;
    }

    private LarderIndexInput slice(String description, long offset, long count, Pages ofSlice) {
        MemorySegment whole = open();
        if ((offset | count) < 0 || offset > length - count) {
            throw new IllegalArgumentException("slice \"" + description + "\" of " + count + " bytes at " + offset
                    + ": the input has " + length + ": " + this);
        }
        return new LarderIndexInput(
                getFullSliceDescription(description), whole.asSlice(offset, count), opening, ofSlice, false);
    }

    @Override
    public RandomAccessInput randomAccessSlice(long offset, long count) {
        return slice("randomaccess", offset, count);
    }

    /** Announces that bytes will be read soon. Bytes beyond the end are ignored. */
    @Override
    public void prefetch(long offset, long count) {
        MemorySegment whole = open();
        if (offset < 0 || count < 0 || offset > length) {
            throw new IllegalArgumentException(
                    "prefetch " + count + " bytes at " + offset + ": the input has " + length + ": " + this);
        }
        try {
            pages.startReading(whole.asSlice(offset, Math.min(count, length - offset)));
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    @Override
    public void updateIOContext(IOContext context) {
        try {
            pages = pages.expect(open(), context);
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    @Override
    public boolean isEfficientFor(IOContext context) {
        return pages.areEfficientFor(context);
    }

    @Override
    public Optional<Boolean> isLoaded() {
        try {
            return pages.areLoaded(open());
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    /** Closes this input. The original input also ends its clones and slices. */
    @Override
    public void close() {
        if (isOriginal) {
            opening.close();
        }
        opening = Opening.CLOSED;
    }

    /**
     * Translates a refusal by the segment or by the target array. It is an end of file only if the file has no more bytes.
     */
    private RuntimeException beyond(long at, long count, IndexOutOfBoundsException cause) throws EOFException {
        boolean isArray = at >= 0 && at <= length - Math.max(0, count);
        return isArray ? cause : outside("read " + count + " bytes at", at, cause);
    }

    private RuntimeException outside(String what, long at, @Nullable RuntimeException cause) throws EOFException {
        String text = what + " " + at + ": the input has " + length + " bytes: " + this;
        if (at < 0) {
            throw new IllegalArgumentException(text, cause);
        }
        EOFException end = new EOFException(text);
        end.initCause(cause);
        throw end;
    }

    private RuntimeException closed(@Nullable IllegalStateException cause) {
        return cause instanceof AlreadyClosedException already
                ? already
                : new AlreadyClosedException("closed: " + this, cause);
    }
}
