package dev.larder.array.node;

import dev.larder.array.entry.EntryRead;
import dev.larder.array.entry.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An operation of a session in flight: into an entry, to a majority, and back with its replies. */
final class Submission extends SessionWait implements Lane.Write {

    private final Stripe stripe;
    private final Operation operation;
    private final long end;
    private final long received;
    private final long millis;
    private final WriteOrder order;
    private final List<EntryRead> reads = new ArrayList<>();

    /** The bytes by which a value may grow through this operation; 0 if not computed yet. */
    private long reachBytes;

    private boolean submitted;
    private boolean refused;
    private boolean aborted;
    private List<byte[]> replies = List.of();
    private @Nullable String error = "ERR the write has no reply";

    /**
     * Creates an operation that is not submitted yet.
     *
     * @param end where its command ends in the input from the session's client
     * @param received how much of that input has come by now
     * @param order the order of the session's writes to the stripe
     */
    Submission(Stripe stripe, Operation operation, long end, long received, WriteOrder order) {
        this.stripe = stripe;
        this.operation = operation;
        this.end = end;
        this.received = received;
        this.order = order;
        this.millis = stripe.state().clock().systemMillis();
    }

    Stripe stripe() {
        return stripe;
    }

    @Override
    public Operation operation() {
        return operation;
    }

    long end() {
        return end;
    }

    /** Returns how much input had come from its client before it was submitted. */
    long received() {
        return received;
    }

    /** Returns the system's time when it was made: after the received input, and before its entry. */
    long millis() {
        return millis;
    }

    /** Returns the bytes by which a value may grow through this operation. Called by the session's loop. */
    long reachBytes() {
        if (reachBytes == 0) {
            reachBytes = WriteReach.bytes(operation);
        }
        return reachBytes;
    }

    /** Makes a read run after this operation, before the next one. Called before this operation is submitted. */
    void readNext(EntryRead read) {
        reads.add(read);
    }

    @Override
    public List<EntryRead> reads() {
        return reads;
    }

    /** Returns whether the operation was submitted. */
    boolean isSubmitted() {
        return submitted;
    }

    /** Submits the operation, unless that was done. Called by the session's loop. */
    void submit() {
        if (!submitted) {
            submitted = true;
            stripe.lane().submit(this);
        }
    }

    @Override
    public void replied(Optional<List<byte[]>> all) {
        error = null;
        aborted = all.isEmpty();
        replies = all.orElse(List.of());
        run();
    }

    @Override
    public void failed(String line) {
        error = line;
        run();
    }

    @Override
    public void refused() {
        refused = true;
        run();
    }

    @Override
    public void beginRefusal() {
        order.breakOff();
    }

    @Override
    public boolean isBehindRefusal() {
        return order.isBroken();
    }

    /** Records that its client is told what has become of it. Called by the session's loop. */
    void told(long received) {
        if (refused) {
            order.told(received);
        }
    }

    /** Returns whether the operation was not done, since another node is to lead. */
    boolean isRefused() {
        return refused;
    }

    /** Returns the line of the error reply; null if there are replies. */
    @Nullable
    String error() {
        return error;
    }

    /** Returns whether nothing was done because a watched key had changed. */
    boolean isAborted() {
        return aborted;
    }

    /** Returns the replies to its calls. */
    List<byte[]> replies() {
        return replies;
    }
}
