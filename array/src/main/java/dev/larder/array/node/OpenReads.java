package dev.larder.array.node;

import dev.larder.array.barrier.Refusal;
import dev.larder.server.command.InputPosition;
import dev.larder.server.command.NotReadyException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reads of a session that need no further round of a stripe's barrier: their bytes had come before a round began. They came
 * before its first step. So they have to see what was committed then, and that is applied here.
 *
 * <pre>
 * bytes that have come | GET a | GET b | GET c |   round begins   ...   round ends: a, b and c are read
 * bytes that have come | SET a | GET b | GET c |   entry of a     ...   is applied here: b and c are read
 * </pre>
 *
 * An entry of this leader does the work of a round: {@code docs/design/array.md} has the argument.
 *
 * The reads of a round have one time, which is taken before the round begins: a leader elected later gives its entries later
 * times. So a key that has expired for a read has expired for each entry after it.
 *
 * <p>Used by the session's loop.
 */
final class OpenReads {

    /** The rounds for which the session waits. */
    record Waiting(List<BarrierWait> waits) implements Runnable {
        @Override
        public void run() {
            throw new IllegalStateException("they end by themselves");
        }
    }

    /**
     * A read that waits.
     *
     * @param end the input position where its command ends
     * @param received how many bytes had come when the read began to wait
     */
    private record Open(long end, long received, Waiting waiting) {}

    /** The position up to which reads are confirmed, by the number of the stripe. */
    private final long[] confirmed;

    /** The time of the confirmed reads, by the number of the stripe. */
    private final long[] millis;

    /** The end of the last command that has waited for entries in flight, by the number of the stripe. */
    private final long[] settled;

    private @Nullable Open open;

    OpenReads(Stripes stripes) {
        this.confirmed = new long[stripes.count()];
        this.millis = new long[stripes.count()];
        this.settled = new long[stripes.count()];
    }

    /**
     * Returns null once the running command may read some stripes here, or the reason why it may not.
     *
     * @throws NotReadyException if the command has to wait
     */
    @Nullable
    Refusal confirm(InputPosition position, List<Stripe> stripes) {
        Open known = open;
        if (known != null && known.end == position.end()) {
            open = null;
            for (BarrierWait wait : known.waiting.waits) {
                Refusal refusal = wait.refusal();
                if (refusal == Refusal.NOT_LEADER && wait.stripe().isReady()) {
                    continue; // this node has been elected meanwhile: another round
                }
                if (refusal != null) {
                    return refusal;
                }
                confirmed[wait.stripe().number()] = known.received;
                millis[wait.stripe().number()] = wait.millis();
            }
        }
        List<BarrierWait> missing = stripes.stream()
                .filter(stripe -> confirmed[stripe.number()] < position.end())
                .map(BarrierWait::new)
                .toList();
        if (missing.isEmpty()) {
            return null;
        }
        Waiting waiting = new Waiting(missing);
        open = new Open(position.end(), position.received(), waiting);
        throw new NotReadyException(waiting, false);
    }

    /** Takes a write that is done. Its entry has confirmed the reads that had come before it was submitted. */
    void confirmedBy(Submission done) {
        int stripe = done.stripe().number();
        if (confirmed[stripe] < done.received()) {
            confirmed[stripe] = done.received();
            millis[stripe] = done.millis();
        }
    }

    /** Makes all later reads need a round: a command may have waited, and earlier confirmations are old. */
    void forget() {
        Arrays.fill(confirmed, 0);
    }

    /** Returns the time of the confirmed reads of a stripe. */
    long millis(Stripe stripe) {
        return millis[stripe.number()];
    }

    /** Records that the running command waits for the entries in flight in a stripe; returns false if it has waited already. */
    boolean settle(InputPosition position, Stripe stripe) {
        boolean isFirst = settled[stripe.number()] != position.end();
        settled[stripe.number()] = position.end();
        return isFirst;
    }
}
