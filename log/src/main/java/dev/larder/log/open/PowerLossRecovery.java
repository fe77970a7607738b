package dev.larder.log.open;

import dev.larder.log.IntegrityMode;
import dev.larder.log.Position;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.retain.Bookmarks;
import dev.larder.log.segment.Seals;
import dev.larder.log.segment.Segment;
import dev.larder.log.segment.Segments;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.ControlFile.Ending;
import dev.larder.log.shared.ControlFile.Place;
import dev.larder.log.shared.Pins;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Storage;
import dev.larder.memory.TruncatedException;
import dev.larder.memory.Words;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The recovery of a log after the power failed: pages that were not synced may be lost, or torn, in any order.
 *
 * <p>The walk begins at the place that a sync left, below which a bad byte is corruption. It continues as long as it finds
 * proven bytes. The proof is each record's check in mode RECORD, contiguous seals in mode SEAL; mode NONE has none. The log is
 * cut where the proof ends.
 *
 * <p>A place in a segment that was dropped since is too old. The walk then begins at the first record, whose segment was made
 * durable before the drop.
 *
 * <p>Where both copies of the place are damaged, the walk begins at the first record, which costs reading the whole log. It
 * must then reach at least the synced position that other words of the control file give. In mode NONE only the place proves
 * anything, so the log is refused.
 *
 * <p><b>END is written at the cut</b>, instead of cleaning the bytes behind it. No walker ever passes END, so old records
 * behind the cut cannot reappear, however often the power fails. Appending continues in a new segment, with a new salt.
 */
final class PowerLossRecovery {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.log");

    private final ControlFile control;
    private final Segments segments;
    private final IntegrityMode integrity;
    private final Optional<Place> place;
    private final Optional<Place> begin;
    private final Lane lane = new Lane();

    private Segment segment;
    private long offset;
    private long proven;
    private boolean ended;
    private final List<Long> ends = new ArrayList<>();

    PowerLossRecovery(ControlFile control, Segments segments) {
        this.control = control;
        this.segments = segments;
        this.integrity = control.integrity();
        this.place = control.place();
        if (place.isEmpty()) {
            requireOtherProof();
        }
        this.begin = place.filter(found -> Position.segment(found.position()) >= control.firstVolatile());
        int number = begin.map(found -> Position.segment(found.position())).orElse(control.firstVolatile());
        this.segment = open(number)
                .orElseThrow(() -> new CorruptException(
                        segments.files().path(number) + ": segment is missing or damaged, although it was synced"));
        this.offset = begin.map(found -> Position.offset(found.position())).orElse(segment.head);
        begin.ifPresent(this::checkPlace);
    }

    private void requireOtherProof() {
        if (integrity == IntegrityMode.NONE) {
            throw new CorruptException(control.placesDamaged()
                    + ": after a power loss, in mode NONE, nothing else shows how far the log was synced");
        }
        LOGGER.log(
                System.Logger.Level.WARNING,
                control.placesDamaged() + "; after a loss of power every record is checked, from the first on");
    }

    /**
     * Opens a segment; empty when it is not there, or its header never reached the disk. Any other error ends the recovery: a
     * file that cannot be opened now must not be taken for a missing one.
     */
    private Optional<Segment> open(int number) {
        try {
            return lane.segment() == Pins.NONE ? segments.enter(lane, number) : segments.enterNext(lane, segment);
        } catch (CorruptException | TruncatedException e) {
            return Optional.empty();
        }
    }

    private void checkPlace(Place place) {
        if (place.salt() != segment.salt) {
            throw new CorruptException(segment.path + ": not the segment that was synced: another salt");
        }
        if (integrity == IntegrityMode.SEAL) {
            int block = (int) (offset >>> SegmentLayout.BLOCK_SHIFT);
            long sealed = Seals.soundEnd(segment, block);
            if (sealed < offset) {
                throw new CorruptException(segment.path + ": block " + block + " is damaged: synced up to "
                        + Position.toString(place.position()) + ", its seal is sound up to offset " + sealed);
            }
        }
    }

    /** Returns the end of the proven part, and changes nothing. */
    long end() {
        walk();
        long end = segment.position(offset);
        segments.leave(lane, segment);
        return end;
    }

    private void walk() {
        proven = provenEnd();
        while (step()) {
            assert offset >= segment.head;
        }
        if (place.isEmpty()) {
            checkReached(Math.max(
                    control.durableAcquire(),
                    control.ending().map(Ending::durable).orElse(0L)));
        }
    }

    /**
     * Fails where the walk has ended before the synced position. Both words for it were stored after a flush: their values on
     * the disk may be older than the last sync, never newer.
     */
    private void checkReached(long synced) {
        long end = segment.position(offset);
        if (end < synced) {
            throw new CorruptException(segment.path + ": damaged at position " + Position.toString(end)
                    + ": synced up to " + Position.toString(synced) + "; " + control.placesDamaged());
        }
    }

    /** Returns the end of the bytes of this segment that need no other proof than their records' checks. */
    private long provenEnd() {
        return switch (integrity) {
            case NONE -> offset;
            case RECORD -> segment.limit;
            case SEAL -> Seals.contiguousEnd(segment, offset);
        };
    }

    /** Passes one proven record, or enters the next segment; returns false at the cut. */
    private boolean step() {
        if (offset + RecordWord.BYTES > proven) {
            return false;
        }
        long word = segment.wordAcquire(offset);
        if (!segment.isSound(offset, word, integrity)) {
            return false;
        }
        if (RecordWord.isEnd(word)) {
            ends.add(segment.position(offset));
            return enterNext();
        }
        long next = segment.next(offset, word);
        if (next > proven) {
            return false;
        }
        offset = next;
        return true;
    }

    private boolean enterNext() {
        Optional<Segment> next = open(segment.number + 1);
        if (next.isEmpty()) {
            ended = true;
            return false;
        }
        segment = next.get();
        offset = segment.head;
        proven = provenEnd();
        return true;
    }

    /** Cuts the log at the end of its proven part, durably; returns a text of what was done. */
    String recover(Storage storage, Path directory) {
        walk();
        long cut = segment.position(offset);
        String lost = lostInWords();
        segments.deleteAbove(segment.number); // before END is durable: a walk would enter a segment that came back
        if (!ended) {
            cutHere();
        }
        segment.force(segment.limit, storage);
        settleEnds(storage);
        Bookmarks.cut(directory, storage, control, cut);
        Segment next = segments.making().createAlone(segment.number + 1, segment.limit);
        next.force(next.head, storage);
        storage.syncDirectory(directory);
        publish(next);
        segments.release(next);
        segments.leave(lane, segment);
        return "cut at " + Position.toString(cut) + lost + (place.isEmpty() ? "; " + control.placesDamaged() : "");
    }

    /** Describes what a walker without any checks would have found behind the cut. */
    private String lostInWords() {
        long at = offset;
        long word = segment.wordAcquire(at);
        int records = 0;
        while (!ended
                && RecordWord.state(word) == RecordWord.COMMITTED
                && segment.fits(at, RecordWord.sizeBytes(RecordWord.length(word)))) {
            at = segment.next(at, word);
            word = segment.wordAcquire(at);
            records++;
        }
        long files = segments.files().numbers().stream()
                .filter(number -> number > segment.number)
                .count();
        return records + files == 0
                ? ", no record was found after it"
                : "; after it were " + records + " unproven records (" + (at - offset) + " bytes) and " + files
                        + " further segments";
    }

    private void cutHere() {
        Seals.clearFrom(segment, offset + RecordWord.BYTES); // and with them the rows' indexes and times
        Words.setRelease(segment.memory, offset, RecordWord.end(segment.salt, segment.position(offset)));
        if (integrity == IntegrityMode.SEAL) {
            sealCut();
        }
    }

    /**
     * Seals the cut in the half of the row that does not prove it. Whichever of END and the seal reaches the disk first, one
     * half is sound and covers the synced bytes. Without END it is the proving half, with END the other.
     */
    private void sealCut() {
        int block = (int) (offset >>> SegmentLayout.BLOCK_SHIFT);
        long blockEnd = (long) (block + 1) << SegmentLayout.BLOCK_SHIFT;
        Seals.write(segment, block, offset + RecordWord.BYTES, Math.min(proven, blockEnd));
    }

    /**
     * Corrects what an END at a cut leaves: a hint and rows of cut records, and a broken seal that covered its place. Does so
     * once END and the seal that covers it are durable. An END of an earlier recovery that was itself cut short is included.
     */
    private void settleEnds(Storage storage) {
        ends.add(segment.position(offset));
        for (long end : ends) {
            Segment settled = segments.acquire(Position.segment(end)).orElseThrow();
            settled.hintRelease(Position.offset(end));
            Seals.clearFrom(settled, Position.offset(end) + RecordWord.BYTES);
            if (integrity == IntegrityMode.SEAL) {
                Seals.settle(settled, (int) (Position.offset(end) >>> SegmentLayout.BLOCK_SHIFT));
            }
            settled.force(settled.head, storage);
            segments.release(settled);
        }
    }

    /**
     * Returns the last time in the rows. On the disk the log's time may be older than the rows', whose times never decrease.
     */
    private long lastTimeMillis() {
        long millis = segment.rows.lastTimeMillis();
        for (int number = segment.number - 1; millis == 0 && number >= control.firstVolatile(); number--) {
            Optional<Segment> earlier = segments.acquire(number);
            millis = earlier.map(found -> found.rows.lastTimeMillis()).orElse(0L);
            earlier.ifPresent(segments::release);
        }
        return millis;
    }

    private void publish(Segment next) {
        control.setTail(next.number);
        control.durableRelease(next.position(next.head));
        control.raiseTimeMillis(lastTimeMillis());
        control.clearFailed();
        place.ifPresentOrElse(
                last -> control.place(new Place(last.counter() + 1, next.position(next.head), next.salt)),
                () -> control.bothPlaces(next.position(next.head), next.salt));
        control.force();
    }
}
