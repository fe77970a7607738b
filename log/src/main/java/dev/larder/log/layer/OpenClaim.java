package dev.larder.log.layer;

import dev.larder.memory.Crc32c;
import org.jspecify.annotations.Nullable;

/**
 * A claim that was made by {@code LogRecords#claim(long, OpenClaim)} and is neither committed nor abandoned yet. Its user
 * keeps one object and uses it again and again.
 *
 * <p>It says whose the claim is: should an error of the JVM (a stack overflow, no memory) end the user's method before the
 * claim is settled, and leave no room for doing so, then whoever is held up by the claim finds here that its thread has left
 * that method, and settles it. Of one thread; others only look.
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
     * No claim yet.
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

    /** Returns what computes the checks of this thread's records, in whichever segment; made when it is first needed. */
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

    /** Returns whether a claim stands here that its thread has left behind. */
    public boolean isLeft(long claimed) {
        Thread by = thread;
        return position == claimed && by != null && !isInside(by) && position == claimed;
    }

    private boolean isInside(Thread by) {
        return ThreadStack.mayBeInside(by, user::equals);
    }
}
