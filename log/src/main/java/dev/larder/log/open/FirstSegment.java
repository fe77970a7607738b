package dev.larder.log.open;

import dev.larder.log.format.RecordWord;
import dev.larder.log.segment.Segment;
import dev.larder.log.segment.Segments;
import dev.larder.log.shared.ControlFile;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Storage;
import dev.larder.memory.TruncatedException;
import java.nio.file.Path;
import java.util.Optional;

/** The creation of the first segment, which a crash or a loss of power may have stopped anywhere. Under GATE. */
final class FirstSegment {

    private final Path directory;
    private final Storage storage;
    private final ControlFile control;
    private final Segments segments;
    private final long bytes;

    /**
     * A first segment that may be missing.
     *
     * @param bytes its size, where it is made
     */
    FirstSegment(Path directory, Storage storage, ControlFile control, Segments segments, long bytes) {
        this.directory = directory;
        this.storage = storage;
        this.control = control;
        this.segments = segments;
        this.bytes = bytes;
    }

    /**
     * Returns whether nothing was ever appended: the log was never marked as open, and a first segment, if there is one, is
     * empty.
     */
    boolean isMissing() {
        return !control.wasOpened()
                && segments.files().numbers().stream().allMatch(number -> number == 0)
                && find().map(first -> first.wordAcquire(first.head) == RecordWord.FREE)
                        .orElse(true);
    }

    /** Returns the first segment; empty when it is not there, or its header never reached the disk. */
    private Optional<Segment> find() {
        try {
            Optional<Segment> first = segments.acquire(0);
            first.ifPresent(segments::release);
            return first;
        } catch (CorruptException | TruncatedException e) {
            return Optional.empty();
        }
    }

    /** Makes the segment, durably, and both copies of the place where a walk after a power loss begins. */
    void make() {
        if (find().isEmpty()) {
            storage.delete(segments.files().path(0));
        }
        Segment first = segments.making().createAlone(0, bytes);
        long start = first.position(first.head);
        control.durableRelease(start);
        control.setTail(0);
        control.bothPlaces(start, first.salt);
        control.force();
        first.force(first.head, storage);
        storage.syncDirectory(directory);
        segments.release(first);
    }
}
