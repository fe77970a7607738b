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
 * What is left of a log after the power failed: pages that were not synced may be lost, or torn, in any order.
 *
 * <p>The walk begins at the place that a sync left, below which a bad byte is corruption, and goes on as long as what
 * it meets is proven: by each record's check in mode RECORD, by contiguous seals in mode SEAL, not at all in mode NONE.
 * Where that ends the log is cut.
 *
 * <p>A place in a segment that was dropped since is too old to begin at: the walk begins at the first record, whose segment
 * was durable before that.
 *
 * <p>Where both copies of the place are damaged the walk begins at the first record, which costs reading the whole log,
 * and must come at least as far as what else the control file says was synced. In mode NONE nothing but the place
 * proves anything: the log is refused.
 *
 * <p><b>END is written at the cut</b> in place of cleaning behind it: no walker ever passes END, so old records behind
 * the cut cannot come alive, however often the power fails. Appending goes on in a new segment, with a new salt.
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
                    + ": after a power loss, in mode NONE, nothing else shows up to where the log was synced");
        }
        LOGGER.log(
                System.Logger.Level.WARNING,
                control.placesDamaged() + "; after a loss of power every record is checked, from the first on");
    }

    /**
     * Opens a segment; empty when it is not there, or its header never reached the disk. Any other error ends the
     * recovery: a file that cannot be opened just now must not be taken for one that is not there.
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

    /** Returns where the proven part ends, and changes nothing. */
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
     * Fails where the walk has ended before what was synced. Both words that say so were stored after a flush: what the
     * disk has of them may be older than the last sync, never newer.
     */
    private void checkReached(long synced) {
        long end = segment.position(offset);
        if (end < synced) {
            throw new CorruptException(segment.path + ": damaged at position " + Position.toString(end)
                    + ": synced up to " + Position.toString(synced) + "; " + control.placesDamaged());
        }
    }

    /** Returns up to where the bytes of this segment are proven by something else than their records' checks. */
    private long provenEnd() {
        return switch (integrity) {
            case NONE -> offset;
            case RECORD -> segment.limit;
            case SEAL -> Seals.contiguousEnd(segment, offset);
        };
    }

    /** Goes over one proven record, or into the next segment; returns false at the cut. */
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

    /** Cuts the log where its proven part ends and makes that durable; returns what was done, in words. */
    String recover(Storage storage, Path directory) {
        walk();
        long cut = segment.position(offset);
        String lost = lostInWords();
        segments.deleteAbove(segment.number); // before END is durable: a segment that came back would be walked into
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

    /** Says what a walker that believed everything would still have found behind the cut. */
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
                ? ", nothing was found behind it"
                : "; behind it were " + records + " unproven records (" + (at - offset) + " bytes) and " + files
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
     * Seals the cut in the half that does not prove it. Whatever of END and seal reaches the disk first, one of the
     * halves is sound and reaches what was synced: without END the proving one, with END the other.
     */
    private void sealCut() {
        int block = (int) (offset >>> SegmentLayout.BLOCK_SHIFT);
        long blockEnd = (long) (block + 1) << SegmentLayout.BLOCK_SHIFT;
        Seals.write(segment, block, offset + RecordWord.BYTES, Math.min(proven, blockEnd));
    }

    /**
     * An END that was written at a cut leaves a hint and rows behind it, of records that were cut, and a seal that covered
     * its place and is broken. All are set right once END and the seal that covers it are durable; also where an earlier
     * recovery wrote them and was cut short itself.
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
     * The time of the log may be older on the disk than that of its rows, of which none is ever greater than a later one.
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
