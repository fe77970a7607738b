package dev.larder.array.node;

/**
 * Keeps a session's writes to a stripe in order across a refusal. Once a write is refused, the writes that came behind it are
 * refused too. Otherwise a client that repeats the refused write at another node would do it after them.
 *
 * <pre>
 * SET k 1 | SET k 2 |                           SET k 3
 * refused | refused | the client gets replies | is done
 * </pre>
 *
 * Used by the session's loop, except as stated.
 */
final class WriteOrder {

    private static final long NOT_TOLD = -1;

    private volatile boolean broken;
    private long told = NOT_TOLD;

    /** Records that a write is refused. Called by any thread. */
    void breakOff() {
        broken = true;
    }

    /** Returns whether a write was refused. Called by any thread. */
    boolean isBroken() {
        return broken;
    }

    /**
     * Records that the client is told of a refused write.
     *
     * @param received how many bytes have come from the client: it sent them before it knew
     */
    void told(long received) {
        if (told == NOT_TOLD) {
            told = received;
        }
    }

    /** Returns whether a command whose input ends at a position came behind the reply to the refused write. */
    boolean isOver(long end) {
        return told != NOT_TOLD && end > told;
    }
}
