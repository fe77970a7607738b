package dev.larder.log.layer;

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
public final class MissingPages {

    private static final int ALERT_LOOKS = 4096;
    private static final int SAMPLED = 128;
    private static final int MIXED_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(SAMPLED);
    private static final long MIXED = 0x9E37_79B9_7F4A_7C15L;
    private static final long NEXT = 6_364_136_223_846_793_005L;

    private final Runnable alerted;
    private int alertLooks;

    /**
     * Says which places are to be asked for now, one in 128 by their mixed bits. Then it is the turn of others, so that a look
     * makes no store. Where only few places are looked at it may be the turn of none: the system takes pages last that are in use.
     */
    private long turn;

    /** Tells who is asked to forget which pages were there, when some are missing. */
    public MissingPages(Runnable alerted) {
        this.alerted = alerted;
    }

    /** Returns whether pages were missing lately. */
    public boolean isAlert() {
        return alertLooks > 0;
    }

    /** Returns whether a page is to be asked for that was there before. */
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

    /** Takes note that a page was asked for, and is there. */
    public void present() {
        int left = alertLooks;
        if (left > 0) {
            alertLooks = left - 1;
        }
    }

    /** Takes note that a page was asked for, and had to be brought in. */
    public void missing() {
        boolean wasCalm = alertLooks == 0;
        alertLooks = ALERT_LOOKS;
        if (wasCalm) {
            alerted.run();
        }
    }
}
