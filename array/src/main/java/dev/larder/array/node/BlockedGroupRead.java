package dev.larder.array.node;

import dev.larder.array.entry.Operation;
import dev.larder.array.entry.Replies;
import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import dev.larder.server.command.Call;
import dev.larder.server.command.GroupLook;
import dev.larder.server.command.WaitingClient;
import dev.larder.server.local.LocalDatabase;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * {@code XREADGROUP BLOCK} of a client. It is a write. If there are no new entries in the stream, its log entry is answered with
 * nil. Then the client waits at this node's store, and the command is submitted anew each time that there are new entries.
 *
 * <pre>
 * entry: nil -> look, wait -> an entry adds to a stream -> submit anew -> entries: the reply
 *                  ^                                                   -> nil: another consumer was faster
 *                  +---------------------------------------------------------+
 * </pre>
 *
 * Its time may end while the command is submitted. Then the reply is what that submission delivers, or nil.
 */
final class BlockedGroupRead implements WaitingClient, WaitingClient.Place {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final byte[] READY = ("+" + GroupLook.READY + "\r\n").getBytes(StandardCharsets.US_ASCII);

    private final Stripe stripe;
    private final Operation operation;
    private final Call call;
    private final WaitingClient client;
    private final LocalDatabase store;
    private boolean told;
    private boolean leaving;
    private boolean ended;

    /** The client's place in the store while it waits there. */
    private @Nullable Place place;

    BlockedGroupRead(Stripe stripe, Operation operation, Call call, WaitingClient client) {
        this.stripe = stripe;
        this.operation = operation;
        this.call = call;
        this.client = client;
        this.store = new LocalDatabase(stripe.state().shared());
    }

    /** Returns whether a reply reports that there are entries now. */
    static boolean isReady(byte[] reply) {
        return Arrays.equals(reply, READY);
    }

    /** Checks whether there are entries; returns the reply, or null if the client waits. */
    byte @Nullable [] look() {
        ReplyBuffer buffer = new ReplyBuffer();
        ReplyEncoder reply = new ReplyEncoder(buffer);
        reply.setVersion(call.reply().version());
        Request request = call.request().copy();
        store.run(new Call(call.command(), GroupLook.handler(), request, call.database(), reply, this));
        byte[] written = buffer.toByteArray();
        return written.length == 0 ? null : written;
    }

    @Override
    public void waits(Place at, long timeoutMillis) {
        boolean isFirst;
        boolean isLate;
        synchronized (this) {
            isFirst = !told;
            told = true;
            place = at;
            isLate = leaving;
        }
        if (isFirst) {
            client.waits(this, timeoutMillis);
        }
        if (isLate && at.leave()) {
            end(nil());
        } else if (!stripe.isReady() && at.leave()) {
            end(Stripe.notLeading());
        }
    }

    @Override
    public void served(byte[] reply, boolean uncommitted) {
        synchronized (this) {
            place = null;
        }
        answer(reply);
    }

    /**
     * Answers the client, or submits the command anew. The caller may be the thread that applies entries, which holds the client's
     * place in the store. Ratis appends an entry under the member's lock, and ends the waits in the store under it as well when
     * the member ceases to lead. So another thread submits.
     */
    private void answer(byte[] reply) {
        if (isReady(reply)) {
            Submission submission = new Submission(stripe, operation, 0, 0, new WriteOrder());
            submission.onEnd(() -> submitted(submission));
            var _ = CompletableFuture.runAsync(submission::submit).whenComplete((_, error) -> {
                if (error != null) {
                    LOGGER.log(System.Logger.Level.ERROR, "cannot submit the command of a client that waited", error);
                    end(("-ERR internal error: " + error + "\r\n").getBytes(StandardCharsets.UTF_8));
                }
            });
        } else {
            end(reply);
        }
    }

    private void submitted(Submission submission) {
        if (submission.isRefused()) {
            end(Stripe.notLeading());
            return;
        }
        String error = submission.error();
        if (error != null) {
            end(("-" + error + "\r\n").getBytes(StandardCharsets.UTF_8));
            return;
        }
        byte[] reply = submission.replies().getFirst();
        if (Replies.isNil(reply) && !isLeaving()) {
            byte[] again = look();
            if (again != null) {
                answer(again);
            }
        } else {
            end(reply);
        }
    }

    private synchronized boolean isLeaving() {
        return leaving;
    }

    private void end(byte[] reply) {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
        }
        client.served(reply, false);
    }

    private byte[] nil() {
        return Replies.nil(call.reply().version());
    }

    @Override
    public boolean leave() {
        Place at;
        synchronized (this) {
            at = place;
        }
        boolean left = at != null && at.leave();
        synchronized (this) {
            leaving = true;
            ended |= left;
        }
        return left;
    }
}
