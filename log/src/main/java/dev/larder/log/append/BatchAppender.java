package dev.larder.log.append;

import dev.larder.log.IntegrityMode;
import dev.larder.log.RecordWriter;
import dev.larder.log.context.LogSession;
import dev.larder.log.format.RecordWord;
import dev.larder.log.segment.Segment;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.ClosedException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * Appends many records at once, which it stages first. One thread at a time.
 *
 * <p>Records are laid out in memory, 1 MiB or the longest record, as they will lie in the file. A flush claims one run for
 * all of them, and writes the run by {@code pwrite}. That costs less than half of what storing into fresh mapped pages does.
 * Last, the flush replaces the run's RESERVED word by the first record's COMMITTED one: one publication, all or nothing in a
 * crash.
 *
 * <pre>
 * | RESERVED, length of the run | payload | COMMITTED | payload | COMMITTED | payload | ...
 *   ^ replaced last
 * </pre>
 */
@SuppressWarnings("ReferenceEquality") // a call of equals might not fit on the stack
public final class BatchAppender implements AutoCloseable {

    private static final long STAGED_MAX_BYTES = 1L << 20;

    private final RecordAppender appender;
    private final LogSession session;
    private final boolean checked;
    private final Arena arena = Arena.ofShared();
    private final long capacity;
    private final MemorySegment staged;
    private final MemorySegment view;

    /** Checks the staging area in place. That area is memory of this process alone, whose pages the system always serves. */
    private final CRC32C crc = new CRC32C();

    private final ByteBuffer checkedBytes;
    private long used;
    private long count;
    private long firstFlushed = -1;
    private long lastFlushed = -1;

    /** Whether published records have not been synced yet as the policy asks for. */
    private boolean owesSync;

    /** Whether a writer fills a record just now: if the writer used this batch, it would change the bytes that it writes. */
    private boolean filling;

    private boolean closed;

    /** Stages records for an appender, which stays open. */
    public BatchAppender(RecordAppender appender, LogSession session) {
        this.appender = appender;
        this.session = session;
        this.checked = session.control.integrity() == IntegrityMode.RECORD;
        this.capacity = Math.min(STAGED_MAX_BYTES, session.recordMaxBytes() & -8L);
        this.staged = arena.allocate(capacity, 4096);
        this.view = staged.asReadOnly();
        this.checkedBytes = staged.asByteBuffer();
    }

    /** Adds a record; it is appended at the next flush. */
    public void add(byte[] source) {
        add(source, 0, source.length);
    }

    /** Adds a range of an array as a record. */
    public void add(byte[] source, int offset, int length) {
        requireUsable();
        Objects.checkFromIndexSize(offset, length, source.length);
        if (makeRoom(length)) {
            MemorySegment.copy(source, offset, staged, ValueLayout.JAVA_BYTE, used + RecordWord.BYTES, length);
            stage(length); // an array and the staging area are always there: no access can have failed
        } else {
            lastFlushed = appender.append(source, offset, length);
        }
    }

    /** Adds a range of memory as a record. A record that is longer than the staging area is appended at once, in its turn. */
    public void add(MemorySegment source, long offset, long length) {
        requireUsable();
        Objects.checkFromIndexSize(offset, length, source.byteSize());
        if (makeRoom(length)) {
            MemorySegment.copy(source, offset, staged, used + RecordWord.BYTES, length);
            stageIfStored((int) length);
        } else {
            lastFlushed = appender.append(source, offset, length);
        }
    }

    /**
     * Adds a record that is written in place: into the staging area, or where it was claimed if it is longer than that area.
     *
     * @throws IllegalStateException in the writer's call, when it uses this batch
     */
    public void add(int length, RecordWriter writer) {
        requireUsable();
        if (length < 0) {
            throw new IllegalArgumentException(
                    session.directory + ": a record of " + length + " bytes; the least is 0");
        }
        boolean room = makeRoom(length);
        filling = true;
        try {
            if (room) {
                writer.write(staged, used + RecordWord.BYTES, length);
            } else {
                lastFlushed = appender.append(length, writer);
            }
        } finally {
            filling = false;
        }
        if (room) {
            stageIfStored(length);
        }
    }

    private void requireUsable() {
        requireOutside();
        requireOpen();
    }

    /** Fails if this batch is closed. */
    public void requireOpen() {
        if (closed) {
            throw new ClosedException("batch of " + session.directory + " is closed");
        }
    }

    private void requireOutside() {
        if (filling) {
            throw new IllegalStateException("batch of " + session.directory
                    + " cannot be called from inside its own writer; let the writer return");
        }
    }

    /** Returns whether a record fits into the staging area beside what was added since the last flush. */
    public boolean fits(long length) {
        requireOpen();
        return used + RecordWord.sizeBytes(length) <= capacity;
    }

    /**
     * Returns the staging area, read-only. The first record begins at 0, its payload {@code LogRecords#payload} of that, and
     * the next record {@code LogRecords#sizeBytes} behind. Flushed records stay until the next record is added.
     */
    public MemorySegment staged() {
        requireOpen();
        return view;
    }

    /** Returns the position of the first record of the last flush, after which the others lie as they were staged. */
    public long firstPosition() {
        requireOpen();
        return firstFlushed;
    }

    /** Returns whether a record fits into the staging area; flushes the area for it if need be. */
    private boolean makeRoom(long length) {
        long size = RecordWord.sizeBytes(length);
        if (used + size > capacity) {
            flush();
        }
        return size <= capacity;
    }

    private void stageIfStored(int length) {
        AccessErrors.deliver(); // a payload that was not stored must not be published
        stage(length);
    }

    private void stage(int length) {
        Words.setPlain(staged, used, length);
        used += RecordWord.sizeBytes(length);
        count++;
    }

    /** Appends the added records at once; returns the position of the last record appended, or -1 before the first. */
    public long flush() {
        publishStaged();
        if (owesSync) {
            session.appended(lastFlushed);
            owesSync = false;
        }
        return lastFlushed;
    }

    /**
     * The same, for a caller that links the records first, and then does what the policy asks for:
     * {@code LogRecords#acknowledge}.
     */
    public long publish() {
        publishStaged();
        owesSync = false;
        return lastFlushed;
    }

    private void publishStaged() {
        requireUsable();
        if (used > 0) {
            Thread self = Thread.currentThread();
            appender.enter();
            try {
                append();
                appender.leave();
            } catch (Throwable e) {
                try {
                    throw appender.gaveUp(e);
                } finally {
                    if (appender.owner == self) {
                        appender.owner = null;
                    }
                    appender.inside = false;
                }
            }
        }
    }

    /** Appends the staged records and forgets them, by stores alone: an error behind them must not let them be appended again. */
    private void append() {
        int run = (int) used - RecordWord.BYTES;
        long at = appender.claimToWriteAround(run);
        Segment segment = appender.segment();
        long start = segment.position(at);
        long last = completeWords(segment, at);
        write(segment, at + RecordWord.BYTES);
        AccessErrors.deliver(); // bytes that were not stored must not be published
        long first = Words.getPlain(staged, 0);
        appender.publish(at, RecordWord.reserved(run, appender.slotOwner()), first, count, used);
        used = 0;
        count = 0;
        firstFlushed = start;
        lastFlushed = last;
        owesSync = true;
        appender.tellOfCommit();
    }

    /**
     * Turns the staged lengths into COMMITTED words, now that positions are known; returns the last position. After a flush
     * that failed, the words are there already, for another place: only their length is used.
     */
    private long completeWords(Segment segment, long at) {
        long position = -1;
        long offset = 0;
        while (offset < used) {
            int length = RecordWord.length(Words.getPlain(staged, offset));
            position = segment.position(at + offset);
            int check = checked ? check((int) offset + RecordWord.BYTES, length) : 0;
            Words.setPlain(staged, offset, RecordWord.committed(segment.salt, position, length, check));
            offset += RecordWord.sizeBytes(length);
        }
        return position;
    }

    private int check(int offset, int length) {
        crc.reset();
        crc.update(checkedBytes.clear().position(offset).limit(offset + length));
        return (int) crc.getValue();
    }

    /** Writes all but the first word. */
    private void write(Segment segment, long at) {
        MemorySegment bytes = staged.asSlice(RecordWord.BYTES, used - RecordWord.BYTES);
        StorageFile file = segment.file();
        if (file != null && file.writesAreCoherent()) {
            file.write(bytes, at);
        } else {
            MemorySegment.copy(bytes, 0, segment.memory, at, bytes.byteSize());
        }
    }

    /** Forgets the records that were added since the last flush. A closed batch has none. */
    public void clear() {
        requireOutside();
        used = 0;
        count = 0;
    }

    /** Flushes, and frees the staging area. The appender stays open. */
    @Override
    public void close() {
        requireOutside();
        if (!closed) {
            try {
                flush();
            } finally {
                closed = true;
                arena.close();
            }
        }
    }
}
