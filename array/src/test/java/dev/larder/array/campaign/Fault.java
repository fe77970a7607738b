package dev.larder.array.campaign;

/**
 * A fault that a schedule has come.
 *
 * @param kind what happens
 * @param toLeader whether it meets the node that leads then; else another one
 * @param pick which one of several it meets, as a number to be taken modulo their count
 * @param afterMillis how long all is well before
 * @param millis how long it lasts
 */
record Fault(Kind kind, boolean toLeader, int pick, int afterMillis, int millis) {

    /** What happens. */
    enum Kind {
        /** {@code kill -9}; the node starts again behind it. */
        KILL(false),
        /** {@code SIGSTOP}, then {@code SIGCONT}. */
        PAUSE(false),
        /** All are killed at once. */
        KILL_ALL(false),
        /** One is killed while it writes its log: behind the last whole entry lies the beginning of another. */
        TORN_TAIL(false),
        /** One is killed, and its disk comes back empty: it must not start. A node with another number takes its place. */
        LOST_DISK(false),
        /** One is killed, and an entry of its log is damaged that it has acknowledged: as with a lost disk. */
        LOST_ENTRIES(false),
        /** One is stopped, and another is killed meanwhile and started again. */
        KILL_BESIDE_PAUSE(false),
        /** One reaches no other, and none reaches it. */
        ISOLATE(true),
        /** One hears the others, and is not heard. */
        MUTE(true),
        /** One is heard, and hears no other. */
        DEAF(true),
        /** One and another do not reach each other; both reach the third. */
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
