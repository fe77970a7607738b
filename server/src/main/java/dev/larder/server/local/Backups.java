package dev.larder.server.local;

import dev.larder.log.FlightEvents;
import dev.larder.log.layer.ClosingSteps;
import dev.larder.server.store.Store;
import dev.larder.server.store.StoreMoment;
import dev.larder.server.stream.StreamEnds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Writes the contents of all databases at one moment to a folder, while clients continue.
 *
 * <pre>
 * all slots locked | ends of the queues, snapshots of the maps | unlocked | everything copied | list of files | renamed
 * </pre>
 *
 * Files of streams are not deleted meanwhile. Thread-safe; one backup at a time.
 */
final class Backups implements AutoCloseable {

    /** At the last of so many attempts, the backup waits for streams with all slots locked. */
    private static final int ATTEMPTS_MAX = 10;

    private record NumberedMoment(int database, StoreMoment moment) {}

    private final LocalStores stores;
    private final SlotLocks locks;
    private volatile boolean closing;

    /** How long the last backup had all slots locked at most. */
    private long pauseNanos;

    Backups(LocalStores stores, SlotLocks locks) {
        this.stores = stores;
        this.locks = locks;
    }

    /**
     * Writes a backup to a folder that does not exist yet. The folder is complete when this returns; after an error it is not
     * there.
     */
    synchronized void write(Path to) {
        Optional<BackupEvent> event = FlightEvents.ifRecorded(() -> BackupEvent.start(to));
        boolean complete = false;
        pauseNanos = 0;
        try {
            writeNow(to);
            complete = true;
        } finally {
            boolean ended = complete;
            event.ifPresent(begun -> begun.finish(pauseNanos, ended));
        }
    }

    private void writeNow(Path to) {
        requireOpen();
        BackupFiles files = BackupFiles.begin(to);
        try (LocalStores.Hold _ = stores.holdFiles()) {
            List<NumberedMoment> moments = moments();
            ClosingSteps steps = new ClosingSteps();
            steps.take("copies", () -> copy(moments, files));
            steps.take("moments", () -> close(moments));
            steps.end();
            files.end(this::requireOpen);
        } catch (RuntimeException | Error e) {
            files.removeAfter(e);
            throw e;
        }
    }

    private void copy(List<NumberedMoment> moments, BackupFiles files) {
        for (NumberedMoment one : moments) {
            one.moment().writeTo(files.folder(one.database()), this::requireOpen);
        }
    }

    /** Returns all databases at one moment. Writers do not wait while another thread opens a stream, say. */
    private List<NumberedMoment> moments() {
        for (int attempt = 1; ; attempt++) {
            requireOpen();
            StreamEnds ends = new StreamEnds();
            long begun = System.nanoTime();
            locks.lock(SlotLocks.all());
            try {
                if (attempt < ATTEMPTS_MAX) {
                    stores.opened().forEach(store -> store.takeEnds(ends));
                } else {
                    stores.opened().forEach(store -> store.takeAllEnds(ends));
                }
                if (ends.isComplete()) {
                    return moments(ends);
                }
            } finally {
                locks.unlock(SlotLocks.all());
                pauseNanos = Math.max(pauseNanos, System.nanoTime() - begun);
            }
            ends.awaitBusy();
        }
    }

    private List<NumberedMoment> moments(StreamEnds ends) {
        List<NumberedMoment> moments = new ArrayList<>();
        try {
            for (Store store : stores.opened()) {
                moments.add(new NumberedMoment(store.index(), store.moment(ends)));
            }
            return moments;
        } catch (RuntimeException | Error e) {
            closeAfter(e, moments);
            throw e;
        }
    }

    private static void closeAfter(Throwable met, List<NumberedMoment> moments) {
        try {
            close(moments);
        } catch (RuntimeException | Error e) {
            if (!e.equals(met)) {
                met.addSuppressed(e);
            }
        }
    }

    /** Closes all moments, even if one fails: each keeps the records of its moment on the disk. */
    private static void close(List<NumberedMoment> moments) {
        ClosingSteps closing = new ClosingSteps();
        moments.forEach(one -> closing.take("moment", one.moment()::close));
        closing.end();
    }

    private void requireOpen() {
        if (closing) {
            throw new IllegalStateException("the server stops");
        }
    }

    /** Ends a backup that is being written, and waits for its end. */
    @Override
    public void close() {
        closing = true;
        awaitEnd();
    }

    private synchronized void awaitEnd() {
        assert closing;
    }
}
