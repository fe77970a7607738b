package dev.larder.array.campaign;

/**
 * A fault of a schedule.
 *
 * @param kind what happens
 * @param toLeader whether it hits the node that leads then; else another one
 * @param pick which one of several nodes it hits: a number, to be taken modulo their count
 * @param afterMillis the time without a fault before it
 * @param millis how long it lasts
 */
record Fault(Kind kind, boolean toLeader, int pick, int afterMillis, int millis) {

    /** What happens. */
    enum Kind {
        /** {@code kill -9}; the node starts again afterwards. */
        KILL(false),
        /** {@code SIGSTOP}, then {@code SIGCONT}. */
        PAUSE(false),
        /** All nodes are killed at once. */
        KILL_ALL(false),
        /** One node is killed while it writes its log: behind the last whole entry lies the beginning of another. */
        TORN_TAIL(false),
        /** One node is killed, and its disk comes back empty: it must not start. A node with another number takes its place. */
        LOST_DISK(false),
        /** One node is killed, and an entry of its log that it has acknowledged is damaged: as with a lost disk. */
        LOST_ENTRIES(false),
        /** One node is stopped. Meanwhile another is killed and started again. */
        KILL_BESIDE_PAUSE(false),
        /** One node reaches no other node, and no other node reaches it. */
        ISOLATE(true),
        /** One node receives from the others, but they do not receive from it. */
        MUTE(true),
        /** The others receive from one node, but it does not receive from them. */
        DEAF(true),
        /** Two nodes do not reach each other; both reach the third. */
        PART(true);

        private final boolean needsCuts;

        Kind(boolean needsCuts) {
            this.needsCuts = needsCuts;
        }

        boolean needsCuts() {
            return needsCuts;
        }
    }
}
