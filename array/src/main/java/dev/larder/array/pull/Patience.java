package dev.larder.array.pull;

import dev.larder.memory.StorageException;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Decides how long a pull is tried while it fails.
 *
 * <ul>
 *   <li>A node tries for ever: its disk may get room, and a source may come back.
 *   <li>A program has a user who waits. A failure of its own disk ends the pull at once. Failures of sources end it when they have
 *       sent nothing for a minute.
 * </ul>
 *
 * Used by one thread.
 */
public final class Patience {

    private static final long PROGRAM_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final boolean isEndless;
    private final LongSupplier nanos;

    /** When the first failure was, since a source last sent something; empty if there was none. */
    private OptionalLong failedSince = OptionalLong.empty();

    private Patience(boolean isEndless, LongSupplier nanos) {
        this.isEndless = isEndless;
        this.nanos = nanos;
    }

    /** Returns the patience of a node. */
    public static Patience ofNode() {
        return new Patience(true, System::nanoTime);
    }

    /** Returns the patience of a program. */
    public static Patience ofProgram() {
        return ofProgram(System::nanoTime);
    }

    /** The same, with another clock. */
    static Patience ofProgram(LongSupplier nanos) {
        return new Patience(false, nanos);
    }

    /** Records that a source has sent a part of a file. */
    void received() {
        failedSince = OptionalLong.empty();
    }

    /**
     * Records that a source has failed.
     *
     * @throws StorageException if that has lasted for too long
     */
    void sourceFailed(String failure) {
        long now = nanos.getAsLong();
        failedSince = OptionalLong.of(failedSince.orElse(now));
        if (!isEndless && now - failedSince.getAsLong() > PROGRAM_NANOS) {
            throw new StorageException(
                    failure + " (tried for " + TimeUnit.NANOSECONDS.toSeconds(PROGRAM_NANOS) + " s)");
        }
    }

    /**
     * Records that this side's disk has failed, or has no room.
     *
     * @throws StorageException if the pull ends
     */
    void diskFailed(String failure, Exception cause) {
        if (!isEndless) {
            throw new StorageException(failure, cause);
        }
    }
}
