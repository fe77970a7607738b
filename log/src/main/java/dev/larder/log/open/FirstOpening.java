package dev.larder.log.open;

import dev.larder.log.FlightEvents;
import dev.larder.log.IntegrityMode;
import dev.larder.log.LogCounter;
import dev.larder.log.LogLayout;
import dev.larder.log.LogOptions;
import dev.larder.log.LogRetention;
import dev.larder.log.Position;
import dev.larder.log.format.RecordWord;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.retain.RetentionPolicy;
import dev.larder.log.segment.Segment;
import dev.larder.log.segment.Segments;
import dev.larder.log.segment.StaleEnd;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.ControlFile.Ending;
import dev.larder.log.shared.ControlFile.State;
import dev.larder.log.shared.CountersFile;
import dev.larder.log.shared.MemoryIdentity;
import dev.larder.log.sync.SettledWalk;
import dev.larder.log.write.Claims;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Storage;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The first opening of a log that no process has open: how the log was left, and what is done about it. Under GATE.
 *
 * <pre>
 * no segment yet                       make the first one
 * left CLEAN                           nothing to recover
 * left OPEN, memory is the same        a process crashed: every claim without a commit becomes padding
 * note is torn, memory is the same     a process crashed while it wrote the note: likewise
 * left OPEN, otherwise                 the power failed: {@link PowerLossRecovery}
 * </pre>
 *
 * If the end is known without the place, and both copies of the place are damaged, the place is written anew.
 */
final class FirstOpening {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.log");

    private final Path directory;
    private final LogOptions options;
    private final Storage storage;
    private final ControlFile control;
    private final Segments segments;
    private final Claims claims;
    private final CountersFile counters;
    private final MemoryIdentity now;

    FirstOpening(
            Path directory,
            LogOptions options,
            ControlFile control,
            Segments segments,
            Claims claims,
            CountersFile counters) {
        this.directory = directory;
        this.options = options;
        this.storage = HookedOptions.storage(options);
        this.control = control;
        this.segments = segments;
        this.claims = claims;
        this.counters = counters;
        this.now = MemoryIdentity.of(storage, directory);
    }

    /** Recovers the log, and records durably that it is in use, before the first append. */
    void recover() {
        Optional<Ending> ending = control.ending(now);
        FirstSegment first = new FirstSegment(directory, storage, control, segments, firstBytes());
        if (first.isMissing()) {
            first.make();
        } else if (ending.filter(this::isStale).isPresent()) {
            found("damage: " + older(ending.orElseThrow()));
            recoverStale(ending.orElseThrow());
        } else if (ending.filter(this::isClean).isPresent()) {
            goOn(ending.orElseThrow());
            mendPlaces();
        } else if (ending.filter(left -> now.isSameAs(left.memory())).isPresent()) {
            found("a process crash");
            settleDeadClaims();
            mendPlaces();
        } else {
            found("a power loss: " + new PowerLossRecovery(control, segments).recover(storage, directory));
        }
        control.clearRemoved();
        sign();
    }

    /** Returns the size of a first segment: as requested, within the largest size of the log's segments. */
    private long firstBytes() {
        long asked = options.layout().firstSegmentBytes();
        long wished = asked == 0 ? LogLayout.FIRST_SEGMENT_DEFAULT_BYTES : asked;
        LogRetention retention = options.retention().isNone() ? control.retention() : options.retention();
        return Math.min(Math.min(wished, control.largestSegmentBytes()), RetentionPolicy.segmentBytesMost(retention));
    }

    private boolean isClean(Ending left) {
        boolean synced = left.durable() >= left.tail();
        return control.failedVolatile() == 0 && left.state() == State.CLEAN && (synced || now.isSameAs(left.memory()));
    }

    private boolean isStale(Ending left) {
        return left.state() == State.CLEAN && new StaleEnd(segments, control).isBefore(left.tail());
    }

    private String older(Ending left) {
        return control.path() + " is older than the segments: it says that the log was closed at "
                + Position.toString(left.tail()) + ", and there are records after that";
    }

    /** Continues behind an end that the control file does not have. */
    private void recoverStale(Ending left) {
        if (now.isSameAs(left.memory())) {
            settleDeadClaims();
            mendPlaces();
        } else if (control.integrity() == IntegrityMode.NONE) {
            throw new CorruptException(older(left) + "; in mode NONE nothing else shows which of them are sound");
        } else {
            tell(System.Logger.Level.WARNING, new PowerLossRecovery(control, segments).recover(storage, directory));
        }
    }

    /**
     * Continues at a clean end. Segments that were prepared beyond it may have lost their headers since. The next one has its
     * header where a sync has walked into it, which no writer had entered yet.
     */
    private void goOn(Ending left) {
        int tail = Position.segment(left.tail());
        int last = Math.max(tail, Position.segment(left.durable()));
        boolean lost = !now.isSameAs(left.memory());
        if (lost) {
            segments.deleteAbove(last);
        }
        goOnAt(left.tail(), lost);
        if (last > tail) {
            goOnAt(left.durable(), lost);
        }
        control.setTail(tail);
        control.durableRelease(left.durable());
    }

    private void goOnAt(long position, boolean lost) {
        segments.acquire(Position.segment(position)).ifPresent(segment -> {
            long end = Position.offset(position);
            segment.hintRelease(end); // the hint has no check of its own, and came from a disk
            if (lost) {
                clearBehind(segment, end);
            }
            segments.release(segment);
        });
    }

    /**
     * Zeroes the bytes behind the end of a recycled file. The zeros from the time of the closing may never have reached the
     * disk. The zeros of a new file are ensured by the file system.
     */
    private void clearBehind(Segment segment, long end) {
        long word = segment.wordAcquire(end);
        boolean ended = RecordWord.isEnd(word) && segment.isSound(end, word, control.integrity());
        if (segment.isRecycled() && !ended) {
            segment.memory.asSlice(end, segment.limit - end).fill((byte) 0);
        }
    }

    /**
     * Writes the place anew where both copies are damaged, since {@code durable} is known without it. Does so durably, and
     * before the log is marked as open: a loss of power must leave a sound place or the old mark.
     */
    private void mendPlaces() {
        if (control.place().isPresent()) {
            return;
        }
        long durable = control.settledStart();
        Segment segment = segments.acquire(Position.segment(durable))
                .orElseThrow(() -> new CorruptException(segments.files().path(Position.segment(durable))
                        + ": segment is missing, although it was synced"));
        long place = segment.position(Math.max(Position.offset(durable), segment.head));
        control.bothPlaces(place, segment.salt);
        control.force();
        segments.release(segment);
        String renewed = "; no record is lost; both copies were written anew for " + Position.toString(place);
        tell(System.Logger.Level.WARNING, "damage: " + control.placesDamaged() + renewed);
    }

    private void found(String what) {
        counters.add(LogCounter.RECOVERIES, 1);
        tell(System.Logger.Level.INFO, what);
    }

    private void tell(System.Logger.Level level, String found) {
        FlightEvents.ifRecorded(RecoveryEvent::new).ifPresent(event -> event.tell(directory, found));
        LOGGER.log(level, directory + ": opened after " + found);
    }

    /** Settles all claims: every other process is dead, so every claim is a dead writer's. */
    private void settleDeadClaims() {
        SettledWalk walk = new SettledWalk(segments, control, false);
        walk.resume();
        walk.advance(control.durableAcquire());
        while (RecordWord.state(walk.word()) == RecordWord.RESERVED) {
            claims.settle(walk.segment(), walk.offset(), walk.word());
            walk.advance(control.durableAcquire());
        }
        control.raiseTail(walk.segment().number);
        walk.rest();
    }

    private void sign() {
        long durable = control.durableAcquire();
        control.ending(new Ending(State.OPEN, durable, durable, now));
        control.force();
    }
}
