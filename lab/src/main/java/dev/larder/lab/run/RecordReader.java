package dev.larder.lab.run;

import dev.larder.lab.result.LabException;
import dev.larder.queue.MessageHandler;
import dev.larder.queue.Tailer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Handles each record that is read back from a queue. It is one class for all purposes. With several in one JVM, the
 * compiler could not inline the handler into the read loop, as it does in a program with one.
 */
public final class RecordReader implements MessageHandler {

    private enum Task {
        SUM,
        COPY_AND_SUM,
        CHECK,
        SCAN,
        INDEX
    }

    private static final int DRAIN = 4096;

    private final Task task;
    private final RecordScan scan;
    private final Records records;
    private final Tailer tailer;
    private final long[] positions;
    private final MemorySegment copy;
    private long next;
    private long sum;

    private RecordReader(Task task, RecordScan scan, Tailer tailer, long[] positions) {
        this.task = task;
        this.scan = scan;
        this.tailer = tailer;
        this.positions = positions;
        records = scan.records();
        copy = task == Task.COPY_AND_SUM
                ? Arena.ofAuto().allocate(records.recordBytes(), Long.BYTES)
                : MemorySegment.NULL;
    }

    private static RecordReader of(Task task, Records records, Tailer tailer, long... positions) {
        return new RecordReader(task, new RecordScan(records, 0), tailer, positions);
    }

    /** Sums all words in place. */
    public static RecordReader summing(Records records, Tailer tailer) {
        return of(Task.SUM, records, tailer);
    }

    /** Copies each record, and sums the words of the copy. */
    public static RecordReader copying(Records records, Tailer tailer) {
        return of(Task.COPY_AND_SUM, records, tailer);
    }

    /** Checks every byte. */
    public static RecordReader checking(Records records, Tailer tailer) {
        return of(Task.CHECK, records, tailer);
    }

    /** Stores the position of each record. */
    public static RecordReader indexing(Records records, Tailer tailer, long[] positions) {
        return of(Task.INDEX, records, tailer, positions);
    }

    /** Gives all records to a scan. */
    public static void scan(RecordScan scan, Tailer tailer) {
        new RecordReader(Task.SCAN, scan, tailer, new long[0]).readAll(scan.count());
    }

    @Override
    public void onMessage(MemorySegment segment, long offset, int length) {
        switch (task) {
            case SUM -> sum += Records.sumWords(segment, offset, length);
            case COPY_AND_SUM -> {
                MemorySegment.copy(segment, offset, copy, 0, length);
                sum += Records.sumWords(copy, 0, length);
            }
            case CHECK -> records.checkBytes(next++, segment, offset, length);
            case SCAN -> scan.take(segment, offset, length);
            case INDEX -> positions[(int) next++] = tailer.position();
        }
    }

    /**
     * Reads so many records, which must be all; returns the sum of all summed words.
     *
     * @throws LabException if there are fewer or more
     */
    public long readAll(long count) {
        for (long left = count; left > 0; ) {
            int read = tailer.drain(this, (int) Math.min(DRAIN, left));
            if (read == 0) {
                throw new LabException((count - left) + " records read back, " + count + " written");
            }
            left -= read;
        }
        long all = sum;
        if (tailer.poll(this)) {
            throw new LabException("more than " + count + " records read back");
        }
        return all;
    }

    /** Reads the record with a number at a position. */
    public void read(long id, long position) {
        next = id;
        if (!tailer.moveTo(position).poll(this)) {
            throw new LabException("record " + id + " was not found");
        }
    }
}
