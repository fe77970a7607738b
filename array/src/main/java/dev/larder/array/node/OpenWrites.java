package dev.larder.array.node;

import dev.larder.array.entry.EntryCall;
import dev.larder.array.entry.Operation;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.command.Call;
import dev.larder.server.command.NotReadyException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The writes of a session in flight, in the session's order. Used by the session's loop. */
final class OpenWrites {

    /** The most bytes of a request, so that an entry and its message to followers have room for it. */
    private static final int REQUEST_MAX_BYTES = (1 << 20) + (128 << 10);

    /** The submissions for which the session waits. */
    record Waiting(List<Submission> submissions) implements Runnable {
        @Override
        public void run() {
            throw new IllegalStateException("they end by themselves");
        }
    }

    /** The submissions, by the end of their command. */
    private final NavigableMap<Long, List<Submission>> open = new TreeMap<>();

    /** The order of the writes to each stripe, by its number; null before the first write. */
    private final @Nullable WriteOrder[] orders;

    OpenWrites(int stripes) {
        this.orders = new @Nullable WriteOrder[stripes];
    }

    /**
     * Creates the submission of an operation.
     *
     * @param end where its command ends in the input from the session's client
     * @param received how much of that input has come by now
     */
    Submission begin(Stripe stripe, Operation operation, long end, long received) {
        WriteOrder order = orders[stripe.number()];
        if (order == null || order.isOver(end)) {
            order = new WriteOrder();
            orders[stripe.number()] = order;
        }
        return new Submission(stripe, operation, end, received, order);
    }

    /**
     * Returns the submissions of the running command, once all have ended.
     *
     * @param end where the command ends
     * @param received how many bytes have come from the client
     * @param beginning creates them at the first run; there may be none
     * @throws NotReadyException if not all have ended
     */
    List<Submission> done(long end, long received, Supplier<List<Submission>> beginning) {
        open.headMap(end).clear(); // of a command that was refused before it ran
        List<Submission> own = open.computeIfAbsent(end, key -> beginning.get());
        if (!own.stream().allMatch(SessionWait::isEnded)) {
            throw new NotReadyException(new Waiting(own), true);
        }
        open.remove(end);
        own.forEach(one -> one.told(received));
        return own;
    }

    /** Returns whether there are submissions of the command that ends at a position. */
    boolean holds(long end) {
        return open.containsKey(end);
    }

    /** Returns whether there is a submission to a stripe of a command after a position. */
    boolean holdsBehind(Stripe stripe, long end) {
        return open.tailMap(end, false).values().stream().flatMap(List::stream).anyMatch(one -> one.stripe() == stripe);
    }

    /** Returns the most bytes by which one of the writes may make a value grow. */
    long reachBytes() {
        return open.values().stream()
                .flatMap(List::stream)
                .mapToLong(Submission::reachBytes)
                .max()
                .orElse(0);
    }

    /** Adds a submission of a later command. */
    void add(Submission later) {
        open.put(later.end(), List.of(later));
    }

    /** Returns the submission, if it is not too long. */
    static Submission checked(Submission submission) {
        int bytes = submission.operation().sizeBytes();
        if (bytes > REQUEST_MAX_BYTES) {
            throw new ReplyException(
                    "ERR a write of " + bytes + " bytes is too large: an array takes at most " + REQUEST_MAX_BYTES);
        }
        return submission;
    }

    /** Returns a command in the form that it has in an entry. */
    static EntryCall toEntry(Call call) {
        Request request = call.request();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(("*" + request.count() + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < request.count(); i++) {
            out.writeBytes(("$" + request.length(i) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.writeBytes(request.bytes(i));
            out.writeBytes(new byte[] {'\r', '\n'});
        }
        return new EntryCall(call.reply().version(), out.toByteArray());
    }
}
