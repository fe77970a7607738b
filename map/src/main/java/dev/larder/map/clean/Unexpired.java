package dev.larder.map.clean;

import dev.larder.log.Log;
import dev.larder.log.Position;
import dev.larder.log.random.CheckedRecords;
import dev.larder.log.random.LogRecords;
import dev.larder.map.checkpoint.MapFiles;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.index.Index;
import dev.larder.memory.CorruptException;
import dev.larder.memory.StorageException;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * An estimate of the live bytes that have not expired, as no thread subtracts an entry when its time is over. Without it a map
 * whose entries expire and are never overwritten would seem to be all alive, and no writer would help the cleaner.
 *
 * <pre>
 *  segments   | first | | | | durable | .. | tail |
 *               SEGMENTS_MOST of them,       young: just put, or just carried, so taken for alive
 *               evenly; of each the first
 *               RECORDS
 *  estimate   young bytes + other live bytes * sampled bytes alive that have not expired / sampled bytes alive
 * </pre>
 *
 * <p>The thread that cleans estimates, ten times a second at most; all processes read the estimate.
 */
final class Unexpired {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");
    private static final int SEGMENTS_MOST = 16;
    private static final int RECORDS = 16;
    private static final long PAUSE_NANOS = 100_000_000;
    private static final long UNKNOWN = 0;

    private final Log log;
    private final LogRecords records;
    private final Index index;
    private final Relocator carrier;
    private final MemorySegment shared;
    private long estimatedNanos = System.nanoTime() - PAUSE_NANOS;
    private long alive;
    private long unexpired;

    Unexpired(MapFiles files, Index index, Relocator carrier) {
        this.log = files.log();
        this.records = files.records();
        this.index = index;
        this.carrier = carrier;
        this.shared = files.index().memory();
    }

    /**
     * Returns how many of the live bytes have not expired, by the last estimate: bytes that came since are alive, and bytes
     * that went since had expired.
     */
    static long of(MemorySegment shared, long live) {
        long known = Words.getAcquire(shared, IndexFileLayout.UNEXPIRED_BYTES);
        long overdue = Words.getAcquire(shared, IndexFileLayout.OVERDUE_BYTES);
        return known == UNKNOWN ? live : Math.max(live - overdue, Math.min(live, known - 1));
    }

    /** Makes a new estimate, if the last one is a while ago. Called by the thread that cleans, before it drops a segment. */
    void estimate() {
        long now = System.nanoTime();
        if (carrier.mayExpire() && now - estimatedNanos >= PAUSE_NANOS) {
            estimatedNanos = now;
            sample(records.firstSegment(), Position.segment(log.durablePosition()));
            long live = index.live().get();
            long young = records.bytesFrom(Position.of(records.tailSegment(), 0));
            long overdue = (long) (Math.max(0, live - young) * expired());
            Words.setRelease(shared, IndexFileLayout.OVERDUE_BYTES, overdue);
            Words.setRelease(shared, IndexFileLayout.UNEXPIRED_BYTES, live - overdue + 1);
        }
    }

    /** Returns the fraction of the live sampled bytes that has expired. */
    private double expired() {
        return alive == 0 ? 0 : (double) (alive - unexpired) / alive;
    }

    private void sample(int first, int end) {
        alive = 0;
        unexpired = 0;
        int count = end - first;
        int sampled = Math.min(count, SEGMENTS_MOST);
        for (int i = 0; i < sampled; i++) {
            sample(first + (int) ((long) i * count / sampled));
        }
    }

    /** Samples a segment. A damaged record is left out and stops no thread: it is reported when the cleaner reaches it. */
    private void sample(int segment) {
        try (CheckedRecords all = records.checked(segment)) {
            for (int i = 0; i < RECORDS && all.next(); i++) {
                sample(all);
            }
        } catch (CorruptException | StorageException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "an estimate leaves out a record: " + e.getMessage(), e);
        }
    }

    private void sample(CheckedRecords at) {
        Relocator.Standing standing = carrier.standing(at.position(), at.bytes(), at.length());
        long size = LogRecords.sizeBytes(
                EntryLayout.liveLength(at.bytes(), LogRecords.payload(at.position()), at.length()));
        alive += standing == Relocator.Standing.DEAD ? 0 : size;
        unexpired += standing == Relocator.Standing.ALIVE ? size : 0;
    }
}
