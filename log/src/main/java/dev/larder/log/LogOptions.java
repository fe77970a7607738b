package dev.larder.log;

import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.Storage;
import java.time.Duration;
import java.util.Optional;

/**
 * How a log is created and opened. Immutable; each {@code with} returns a changed copy.
 *
 * <p>The first two belong to the log: they take effect when it is created, and opening it later with another value is
 * refused. Left empty they are as the log says, or the default at creation. The rest belong to this opening.
 *
 * @param integrity what protects payloads; at creation {@link IntegrityMode#SEAL} where the boot of the machine and the
 *     mount can be told, else {@link IntegrityMode#RECORD}
 * @param largestSegmentBytes what segments grow to by doubling from 2 MiB: a power of two up to 4 GiB; 256 MiB at
 *     creation
 * @param allocation how files get their space; by the kind of file system
 * @param sync when records are made durable without being asked
 * @param access who may read the files
 * @param readOnly whether nothing at all is written, not even a lock
 * @param verifyReads whether each record is checked again when it is read
 * @param allowRemote whether network, FUSE and 9p mounts are accepted, at the caller's risk
 * @param prepareBytes how much space ahead of the tail is kept present while writers are idle: 0 to 64 GiB
 * @param earlyWriteback whether write-back is started behind the writer, every 16 MiB
 * @param storage where the files are
 * @param resolver what becomes of claims of dead writers
 * @param steps a listener for tests
 */
public record LogOptions(
        Optional<IntegrityMode> integrity,
        long largestSegmentBytes,
        Optional<Allocation> allocation,
        SyncPolicy sync,
        Access access,
        boolean readOnly,
        boolean verifyReads,
        boolean allowRemote,
        long prepareBytes,
        boolean earlyWriteback,
        Storage storage,
        ClaimResolver resolver,
        Steps steps) {

    /** The size that segments grow to when nothing is said. */
    public static final long LARGEST_SEGMENT_DEFAULT_BYTES = 256L << 20;

    private static final long PREPARE_MAX_BYTES = 64L << 30;

    /** Options; each must be in its range. */
    public LogOptions {
        boolean size = largestSegmentBytes == 0
                || (Long.bitCount(largestSegmentBytes) == 1
                        && largestSegmentBytes >= SegmentLayout.SIZE_MIN_BYTES
                        && largestSegmentBytes <= SegmentLayout.SIZE_MAX_BYTES);
        if (!size) {
            throw new IllegalArgumentException("largest segment of " + largestSegmentBytes
                    + " bytes is not a power of two within " + SegmentLayout.SIZE_MIN_BYTES + " and "
                    + SegmentLayout.SIZE_MAX_BYTES);
        }
        if (prepareBytes < 0 || prepareBytes > PREPARE_MAX_BYTES) {
            throw new IllegalArgumentException(
                    "prepared space of " + prepareBytes + " bytes is not within 0 and " + PREPARE_MAX_BYTES);
        }
    }

    /** Returns the defaults: sync every second and at close, owner only, write-back behind the writer. */
    public static LogOptions defaults() {
        return new LogOptions(
                Optional.empty(),
                0,
                Optional.empty(),
                SyncPolicy.every(Duration.ofSeconds(1)),
                Access.OWNER,
                false,
                false,
                false,
                128L << 20,
                true,
                Storage.system(),
                ClaimResolver.PAD,
                Steps.NONE);
    }

    /** Returns a copy with another {@link #integrity}. */
    public LogOptions withIntegrity(IntegrityMode mode) {
        return new LogOptions(
                Optional.of(mode),
                largestSegmentBytes,
                allocation,
                sync,
                access,
                readOnly,
                verifyReads,
                allowRemote,
                prepareBytes,
                earlyWriteback,
                storage,
                resolver,
                steps);
    }

    /** Returns a copy with another {@link #largestSegmentBytes}. */
    public LogOptions withLargestSegmentBytes(long bytes) {
        return new LogOptions(
                integrity,
                bytes,
                allocation,
                sync,
                access,
                readOnly,
                verifyReads,
                allowRemote,
                prepareBytes,
                earlyWriteback,
                storage,
                resolver,
                steps);
    }

    /** Returns a copy with another {@link #allocation}. */
    public LogOptions withAllocation(Allocation way) {
        return new LogOptions(
                integrity,
                largestSegmentBytes,
                Optional.of(way),
                sync,
                access,
                readOnly,
                verifyReads,
                allowRemote,
                prepareBytes,
                earlyWriteback,
                storage,
                resolver,
                steps);
    }

    /** Returns a copy with another {@link #sync}. */
    public LogOptions withSync(SyncPolicy policy) {
        return new LogOptions(
                integrity,
                largestSegmentBytes,
                allocation,
                policy,
                access,
                readOnly,
                verifyReads,
                allowRemote,
                prepareBytes,
                earlyWriteback,
                storage,
                resolver,
                steps);
    }

    /** Returns a copy with another {@link #access}. */
    public LogOptions withAccess(Access who) {
        return new LogOptions(
                integrity,
                largestSegmentBytes,
                allocation,
                sync,
                who,
                readOnly,
                verifyReads,
                allowRemote,
                prepareBytes,
                earlyWriteback,
                storage,
                resolver,
                steps);
    }

    /** Returns a copy with another {@link #readOnly}. */
    public LogOptions withReadOnly(boolean only) {
        return new LogOptions(
                integrity,
                largestSegmentBytes,
                allocation,
                sync,
                access,
                only,
                verifyReads,
                allowRemote,
                prepareBytes,
                earlyWriteback,
                storage,
                resolver,
                steps);
    }

    /** Returns a copy with another {@link #verifyReads}. */
    public LogOptions withVerifyReads(boolean verify) {
        return new LogOptions(
                integrity,
                largestSegmentBytes,
                allocation,
                sync,
                access,
                readOnly,
                verify,
                allowRemote,
                prepareBytes,
                earlyWriteback,
                storage,
                resolver,
                steps);
    }

    /** Returns a copy with another {@link #allowRemote}. */
    public LogOptions withAllowRemote(boolean allow) {
        return new LogOptions(
                integrity,
                largestSegmentBytes,
                allocation,
                sync,
                access,
                readOnly,
                verifyReads,
                allow,
                prepareBytes,
                earlyWriteback,
                storage,
                resolver,
                steps);
    }

    /** Returns a copy with another {@link #prepareBytes}. */
    public LogOptions withPrepareBytes(long bytes) {
        return new LogOptions(
                integrity,
                largestSegmentBytes,
                allocation,
                sync,
                access,
                readOnly,
                verifyReads,
                allowRemote,
                bytes,
                earlyWriteback,
                storage,
                resolver,
                steps);
    }

    /** Returns a copy with another {@link #earlyWriteback}. */
    public LogOptions withEarlyWriteback(boolean early) {
        return new LogOptions(
                integrity,
                largestSegmentBytes,
                allocation,
                sync,
                access,
                readOnly,
                verifyReads,
                allowRemote,
                prepareBytes,
                early,
                storage,
                resolver,
                steps);
    }

    /** Returns a copy with another {@link #storage}. */
    public LogOptions withStorage(Storage place) {
        return new LogOptions(
                integrity,
                largestSegmentBytes,
                allocation,
                sync,
                access,
                readOnly,
                verifyReads,
                allowRemote,
                prepareBytes,
                earlyWriteback,
                place,
                resolver,
                steps);
    }

    /** Returns a copy with another {@link #resolver}. */
    public LogOptions withResolver(ClaimResolver decider) {
        return new LogOptions(
                integrity,
                largestSegmentBytes,
                allocation,
                sync,
                access,
                readOnly,
                verifyReads,
                allowRemote,
                prepareBytes,
                earlyWriteback,
                storage,
                decider,
                steps);
    }

    /** Returns a copy with another {@link #steps}. */
    public LogOptions withSteps(Steps listener) {
        return new LogOptions(
                integrity,
                largestSegmentBytes,
                allocation,
                sync,
                access,
                readOnly,
                verifyReads,
                allowRemote,
                prepareBytes,
                earlyWriteback,
                storage,
                resolver,
                listener);
    }
}
