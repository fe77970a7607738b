package dev.larder.log.layer;

/**
 * Decides whether the system is asked for a page before the page is read. A page that is not in memory must be loaded by a
 * call. A thread that waits for the disk inside a page fault holds up every safepoint, and so all threads of the JVM.
 *
 * <pre>
 * calm     pages not asked for or stored to before; of the others one read in 128
 *            | a page is missing                    ^ the last 4096 that were asked for were there
 *            v                                      |
 * alert    every read: what was there a moment ago may be gone
 * </pre>
 *
 * So a read costs some nanoseconds where everything fits into memory. Where it does not, it costs less than a microsecond
 * beside the disk's reads. Shared by all threads, without any order among them: a lost number costs one question more or less.
 */
public final class MissingPages {

    private static final int ALERT_LOOKS = 4096;
    private static final int SAMPLED = 128;
    private static final int MIXED_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(SAMPLED);
    private static final long MIXED = 0x9E37_79B9_7F4A_7C15L;
    private static final long NEXT = 6_364_136_223_846_793_005L;

    private final Runnable alerted;
    private int alertLooks;

    /**
     * Decides which places the system is asked for now: one in 128, by their mixed bits. After that other places are chosen,
     * so that most reads make no store. If only few places are read, none of them may be chosen: the system evicts pages in
     * use last.
     */
    private long turn;

    /** A calm state; the action forgets which pages were there, and runs when some are missing. */
    public MissingPages(Runnable alerted) {
        this.alerted = alerted;
    }

    /** Returns whether pages were missing lately. */
    public boolean isAlert() {
        return alertLooks > 0;
    }

    /** Returns whether the system is to be asked again for a page that was there before. */
    public boolean isToAsk(long at) {
        return isAlert() || isTurn(at);
    }

    private boolean isTurn(long at) {
        boolean now = (((at ^ turn) * MIXED) >>> MIXED_SHIFT) == 0;
        if (now) {
            turn = turn * NEXT + 1;
        }
        return now;
    }

    /** Records that a page was asked for, and is there. */
    public void present() {
        int left = alertLooks;
        if (left > 0) {
            alertLooks = left - 1;
        }
    }

    /** Records that a page was asked for, and had to be loaded. */
    public void missing() {
        boolean wasCalm = alertLooks == 0;
        alertLooks = ALERT_LOOKS;
        if (wasCalm) {
            alerted.run();
        }
    }
}
