package dev.larder.lab.load;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * One request and its outcome: a message of 48 bytes in the queue that a load leaves, little-endian.
 *
 * <pre>
 *  0 | intended  i64 | when it was to leave, ns since the start of the load
 *  8 | sent      i64 | when it left
 * 16 | answered  i64 | when its answer arrived; if none did, when the wait ended
 * 24 | waited    i64 | ns that it waited in the target; -1 unknown
 * 32 | served    i64 | ns that the target worked on it; -1 unknown
 * 40 | kind      i32 | of the workload
 * 44 | status    i32 | 0 served, {@link #UNANSWERED}, else an error of the target's
 * </pre>
 */
public final class Response {

    /** The bytes of one. */
    public static final long BYTES = 48;

    /** The status of a request whose answer never came. */
    public static final int UNANSWERED = -1;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int INTENDED = 0;
    private static final int SENT = 8;
    private static final int ANSWERED = 16;
    private static final int WAITED = 24;
    private static final int SERVED = 32;
    private static final int KIND = 40;
    private static final int STATUS = 44;

    private Response() {}

    static void sent(MemorySegment memory, long at, long intended, long sent, int kind) {
        memory.set(LONG, at + INTENDED, intended);
        memory.set(LONG, at + SENT, sent);
        memory.set(INT, at + KIND, kind);
    }

    static void answered(MemorySegment memory, long at, long answered, int status, long waited, long served) {
        memory.set(LONG, at + ANSWERED, answered);
        memory.set(INT, at + STATUS, status);
        memory.set(LONG, at + WAITED, waited);
        memory.set(LONG, at + SERVED, served);
    }

    /** Returns when the request at an offset was to leave, in nanoseconds since the start. */
    public static long intended(MemorySegment memory, long at) {
        return memory.get(LONG, at + INTENDED);
    }

    /** Returns when it left. */
    public static long sent(MemorySegment memory, long at) {
        return memory.get(LONG, at + SENT);
    }

    /** Returns when its answer arrived. */
    public static long answered(MemorySegment memory, long at) {
        return memory.get(LONG, at + ANSWERED);
    }

    /** Returns how long it waited in the target; -1 unknown. */
    public static long waited(MemorySegment memory, long at) {
        return memory.get(LONG, at + WAITED);
    }

    /** Returns how long the target worked on it; -1 unknown. */
    public static long served(MemorySegment memory, long at) {
        return memory.get(LONG, at + SERVED);
    }

    /** Returns its kind. */
    public static int kind(MemorySegment memory, long at) {
        return memory.get(INT, at + KIND);
    }

    /** Returns its status. */
    public static int status(MemorySegment memory, long at) {
        return memory.get(INT, at + STATUS);
    }
}
