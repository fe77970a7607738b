package dev.larder.log.random;

/**
 * Says whether the system is to be asked for a page before it is looked at. A page that is not in memory must be
 * brought in by a call: a thread that waits for the disk inside a page fault holds up every safepoint, and so all
 * threads of the JVM.
 *
 * <pre>
 * calm     pages that nobody has asked for yet, or stored to; of the others one look in 128
 *            | a page is missing                    ^ the last 4096 that were asked for were there
 *            v                                      |
 * alert    every look: what was there a moment ago may be gone
 * </pre>
 *
 * So where everything fits into memory a look costs some nanoseconds, and where it does not, less than a microsecond
 * beside reads of the disk. Shared by all threads, without any order among them: a number that is lost costs a question
 * more or less.
 */
final class MissingPages {

    private static final int ALERT_LOOKS = 4096;
    private static final int SAMPLED = 128;
    private static final int STRIPES = 64;
    private static final int STRIDE = 16;

    private final Runnable alerted;
    private final int[] turns = new int[STRIPES * STRIDE];
    private int alertLooks;

    /** Tells who is asked to forget which pages were there, when some are missing. */
    MissingPages(Runnable alerted) {
        this.alerted = alerted;
    }

    boolean isAlert() {
        return alertLooks > 0;
    }

    /** Returns whether a page is to be asked for that was there before. */
    boolean isToAsk() {
        return isAlert() || isTurn();
    }

    private boolean isTurn() {
        int turn = ((int) Thread.currentThread().threadId() & (STRIPES - 1)) * STRIDE;
        return ++turns[turn] % SAMPLED == 0;
    }

    /** Takes note that a page was asked for, and is there. */
    void present() {
        int left = alertLooks;
        if (left > 0) {
            alertLooks = left - 1;
        }
    }

    /** Takes note that a page was asked for, and had to be brought in. */
    void missing() {
        boolean wasCalm = alertLooks == 0;
        alertLooks = ALERT_LOOKS;
        if (wasCalm) {
            alerted.run();
        }
    }
}
