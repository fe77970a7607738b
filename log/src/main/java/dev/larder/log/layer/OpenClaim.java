package dev.larder.log.layer;

import dev.larder.memory.Crc32c;
import org.jspecify.annotations.Nullable;

/**
 * A claim that was made by {@code LogRecords#claim(long, OpenClaim)} and is neither committed nor abandoned yet. Its user
 * keeps one object and reuses it.
 *
 * <p>It records whose the claim is. An error of the JVM (a stack overflow, no memory) may end the user's method, and leave no
 * room to settle the claim. A thread that is held up by the claim then finds here that the claim's thread has left that
 * method, and settles the claim. Written by one thread; others only read.
 */
public final class OpenClaim {

    /** No claim. */
    public static final long NONE = -1;

    private final String user;
    private long position = NONE;
    private @Nullable Thread thread;
    private @Nullable Crc32c crc;
    public boolean known;

    /**
     * An object without a claim yet.
     *
     * @param user the class whose methods claim, and settle before they return
     */
    public OpenClaim(Class<?> user) {
        this.user = user.getName();
    }

    /** Returns where the claim stands; {@link #NONE} while there is none. */
    public long position() {
        return position;
    }

    /** Forgets the claim, which was committed or abandoned. */
    public void settled() {
        position = NONE;
    }

    /** Returns the checksum that computes the checks of this thread's records, in any segment; made at first use. */
    public Crc32c crc() {
        Crc32c made = crc;
        if (made == null) {
            made = new Crc32c();
            crc = made;
        }
        return made;
    }

    public void hold(long claimed, Thread by) {
        thread = by;
        position = claimed;
    }

    /** Returns whether the given claim stands here and its thread has left it behind. */
    public boolean isLeft(long claimed) {
        Thread by = thread;
        return position == claimed && by != null && !isInside(by) && position == claimed;
    }

    private boolean isInside(Thread by) {
        return ThreadStack.mayBeInside(by, user::equals);
    }
}
