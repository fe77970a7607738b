package dev.larder.log.segment;

import dev.larder.log.FlightEvents;
import dev.larder.log.LogCounter;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.log.layer.DiskWaits;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.CountersFile;
import dev.larder.log.shared.Pins;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Storage;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The path of a process through the segments of a log: into a segment, and from one to the next.
 *
 * <p>A segment may be <i>linked</i> at any time. It may be <i>used</i> only by a thread that has seen the segment before it
 * ended. The thread must also be pinned: with a lane in the segment, or below.
 */
public final class Segments implements AutoCloseable {

    private final ControlFile control;
    private final Pins pins;
    private final SegmentFiles files;
    private final MappedSegments mapped;
    private final Optional<SegmentMaking> making;
    private final Failpoints steps;
    private final CountersFile counters;

    public Segments(
            Path directory,
            LogOptions options,
            ControlFile control,
            Pins pins,
            Optional<SegmentMaking.How> how,
            CountersFile counters) {
        this.control = control;
        this.pins = pins;
        this.files = new SegmentFiles(directory, HookedOptions.storage(options), control);
        this.mapped = new MappedSegments(files, options.layout(), how);
        this.steps = HookedOptions.of(options).failpoints();
        this.counters = counters;
        this.making = how.map(given -> new SegmentMaking(files, mapped, given, steps, counters));
    }

    public SegmentFiles files() {
        return files;
    }

    public MappedSegments mapped() {
        return mapped;
    }

    /** Returns the maker of segments; only in a process that writes. */
    public SegmentMaking making() {
        return making.orElseThrow();
    }

    /** Returns whether a segment no longer exists, whatever the directory shows. */
    public boolean isDropped(int number) {
        return files.isDropped(number);
    }

    /**
     * Unmaps all segments above a number and durably deletes them, the highest first. Only for the process that opens the log
     * first, and has no lane there: a later segment with one of these numbers is another file.
     */
    public void deleteAbove(int number) {
        mapped.unmapAbove(number);
        files.deleteAbove(number);
    }

    /** As {@link MappedSegments#acquire}: no pin holds the bytes. */
    public Optional<Segment> acquire(int number) {
        return mapped.acquire(number);
    }

    public void release(Segment segment) {
        mapped.release(segment);
    }

    /**
     * SYNC POINT: pin. Puts a lane into a segment that exists. Returns empty, and leaves the lane where it was, if there is
     * no such file or the segment was dropped. The lane's pin is stored before {@code first} is read.
     */
    public Optional<Segment> enter(Lane lane, int number) {
        if (number < 0) {
            return Optional.empty(); // from a position that no record has
        }
        int before = lane.segment();
        pins.move(lane, Math.min(before, number));
        Optional<Segment> segment = Optional.empty();
        try {
            segment = isDropped(number) ? segment : mapped.acquireExisting(number);
        } finally {
            pins.move(lane, segment.isPresent() ? number : before); // also after an error: too many open files, say
        }
        return segment;
    }

    /** Puts a lane into the segment in which a position lies. If that was dropped, puts it into a later one, the first. */
    public Segment enterAtOrAfter(Lane lane, int number) {
        int wanted = Math.max(number, control.firstVolatile());
        Optional<Segment> there = enter(lane, wanted);
        while (there.isEmpty()) {
            if (!isDropped(wanted)) {
                throw missing(wanted);
            }
            wanted = control.firstVolatile();
            there = enter(lane, wanted);
        }
        return there.get();
    }

    /** Puts a lane into the first segment. */
    public Segment enterFirst(Lane lane) {
        return enterAtOrAfter(lane, control.firstVolatile());
    }

    /** Puts a lane into the tail, or into a later segment if the log has continued meanwhile. */
    public Segment enterTail(Lane lane) {
        return enterAtOrAfter(lane, control.tailAcquire());
    }

    /** Moves a lane to the tail if it was left behind: in a segment after which the next one was dropped. */
    public Segment rejoin(Lane lane, Segment left) {
        Segment tail = enterTail(lane);
        release(left);
        return tail;
    }

    /**
     * SYNC POINT: pin. Returns to a segment that the lane left by {@link #leavePin} and has not touched since. If that
     * segment was dropped meanwhile, moves the lane to the tail: the file may belong to another segment.
     */
    public Segment comeBack(Lane lane, Segment left) {
        return pinAgain(lane, left) ? left : rejoin(lane, left);
    }

    /** Pins a segment that a lane left by {@link #leavePin}. Returns whether it still exists, and may be touched. */
    public boolean pinAgain(Lane lane, Segment left) {
        pins.move(lane, left.number);
        return !isDropped(left.number);
    }

    /** Moves a lane that was left behind to the first segment. */
    public Segment rejoinFirst(Lane lane, Segment left) {
        Segment first = enterFirst(lane);
        release(left);
        return first;
    }

    /**
     * Moves a lane from the end of a segment to the next one; the lane's pin covers both. Returns empty, and the lane stays,
     * if there is no next one yet or it was dropped.
     */
    public Optional<Segment> enterNext(Lane lane, Segment ended) {
        Optional<Segment> next = mapped.acquireExisting(ended.number + 1);
        next.ifPresent(segment -> move(lane, ended, segment));
        return next;
    }

    /**
     * Moves a reader's lane to the next segment; empty while there is none.
     *
     * @throws CorruptException when the log continued, and the next segment is missing
     */
    public Optional<Segment> enterLater(Lane lane, Segment ended) {
        Optional<Segment> next = acquireLater(ended);
        next.ifPresent(segment -> move(lane, ended, segment));
        return next;
    }

    /**
     * Maps the segment after one that has ended, for a reader that then moves its lane; empty while there is none.
     *
     * @throws CorruptException when the log continued, and the next segment is missing
     */
    public Optional<Segment> acquireLater(Segment ended) {
        int number = ended.number + 1;
        Optional<Segment> next = mapped.acquireExisting(number);
        if (next.isEmpty() && ended.number < control.tailAcquire()) {
            next = mapped.acquireExisting(number); // it may have been linked since
            if (next.isEmpty() && !isDropped(number)) {
                throw missing(number);
            }
        }
        return next;
    }

    /**
     * Fails if this thread may not wait for the disk, and the bytes before a segment's records are not in memory. A segment
     * that does not exist, not yet or no longer, is no reason to wait.
     */
    public void requireHeadInMemory(int number) {
        boolean there = maySayNo() && number <= control.tailAcquire() && !isDropped(number);
        if (there && !mapped.isHeadInMemory(number)) {
            DiskWaits.requireAllowed(files.path(number), Position.of(number, 0));
        }
    }

    /**
     * Loads the bytes before the records of a segment that was just entered, so that no thread waits for them inside a page
     * fault. Does nothing in a thread that may not wait: that thread has checked before.
     */
    public void bringInHead(Segment segment) {
        Storage storage = files.storage();
        if (!DiskWaits.areForbidden() && !storage.isResident(segment.memory, 0, segment.head)) {
            storage.bringIn(segment.memory.asSlice(0, segment.head), segment.path, 0);
        }
    }

    /** Fails if this thread may not wait for the disk, and bytes of a segment that is in use are not in memory. */
    public void requireInMemory(Segment segment, long from, long to) {
        if (maySayNo() && !files.storage().isResident(segment.memory, from, to - from)) {
            DiskWaits.requireAllowed(segment.path, segment.position(from));
        }
    }

    /** Returns whether this thread may not wait, and the system reports what is in memory: otherwise no wait can be foreseen. */
    private boolean maySayNo() {
        return DiskWaits.areForbidden() && files.storage().tellsResidence();
    }

    /** Returns the error for a segment that should exist. */
    public CorruptException missing(int number) {
        return new CorruptException(files.path(number) + ": the segment is missing; the log has segments "
                + control.firstVolatile() + " to " + control.tailAcquire());
    }

    /** Moves an appender's lane to the next segment. If there is none, makes one that is large enough for a record. */
    public Segment enterNextOrCreate(Lane lane, Segment ended, long recordBytes) {
        steps.reached("roll.ended");
        Optional<RollEvent> event = FlightEvents.ifRecorded(RollEvent::start);
        Optional<Segment> made = making().next(ended, recordBytes);
        made.ifPresent(segment -> move(lane, ended, segment));
        Segment next = made.orElseGet(() -> rejoin(lane, ended)); // stopped until the next one was made and dropped
        control.raiseTail(next.number);
        counters.add(LogCounter.ROLLS, 1);
        event.ifPresent(told -> told.finish(next));
        steps.reached("roll.entered");
        return next;
    }

    /** Moves a lane from one segment to another; the lane's owner has entered both. */
    public void move(Lane lane, Segment from, Segment to) {
        pins.move(lane, to.number);
        release(from);
    }

    /** Takes a lane out of the log. The lane holds no segment in use, or comes back before it touches that segment. */
    public void leavePin(Lane lane) {
        pins.leave(lane);
    }

    /** Takes a lane out of the log. */
    public void leave(Lane lane, Segment segment) {
        release(segment);
        pins.leave(lane);
    }

    @Override
    public void close() {
        try {
            mapped.close();
        } finally {
            making.ifPresent(SegmentMaking::close);
        }
    }
}
