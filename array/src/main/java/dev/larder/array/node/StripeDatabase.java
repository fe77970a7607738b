package dev.larder.array.node;

import dev.larder.array.barrier.Refusal;
import dev.larder.array.entry.EntryCall;
import dev.larder.array.entry.Operation;
import dev.larder.array.entry.WatchedKey;
import dev.larder.resp.CommandCategory;
import dev.larder.resp.CommandFlag;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import dev.larder.server.command.Call;
import dev.larder.server.command.Database;
import dev.larder.server.command.NotReadyException;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeySlot;
import dev.larder.server.store.Store;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The database of an event loop on a stripe. A command is never ready at once: the session waits, and runs it again.
 *
 * <pre>
 *         first run                      meanwhile                             second run
 * write   its request is kept       ->   entry, majority, applied here    ->   the replies are written
 * read    waits for the barrier     ->   round, applied here              ->   reads the store of this node
 * </pre>
 */
public final class StripeDatabase implements Database {

    private static final String NOT_YET = "ERR streams are not replicated yet: an array keeps strings";
    private static final String RESERVED = "ERR this key is reserved";

    /** What a request may have at most, so that an entry and its message to followers have room for it. */
    private static final int REQUEST_MAX_BYTES = (1 << 20) + (128 << 10);

    private final Stripe stripe;
    private final Database local;
    private final Supplier<String> moved;

    /** What a session waits for, or has got, by where its replies go. A session that is gone is forgotten. */
    private final Map<ReplyEncoder, Submission> writes = new WeakHashMap<>();

    private final Map<ReplyEncoder, BarrierWait> reads = new WeakHashMap<>();

    /** The replies of the transaction that is answered now. */
    private @Nullable Iterator<byte[]> answering;

    /**
     * The database for one event loop.
     *
     * @param local reads the store of this node
     * @param moved returns where clients find the leader: an address
     */
    public StripeDatabase(Stripe stripe, Database local, Supplier<String> moved) {
        this.stripe = stripe;
        this.local = local;
        this.moved = moved;
    }

    @Override
    public boolean run(Call call) {
        String refusal = refusal(call);
        if (refusal != null) {
            call.reply().error(refusal);
        } else if (call.command().is(CommandFlag.WRITE)) {
            write(call);
        } else {
            read(call);
        }
        return false;
    }

    private static @Nullable String refusal(Call call) {
        if (call.command().categories().contains(CommandCategory.STREAM)) {
            return NOT_YET;
        }
        boolean[] isReserved = {false};
        call.command()
                .keys()
                .forEach(call.request(), key -> isReserved[0] |= Store.isNote(Bytes.of(call.request(), key)));
        return isReserved[0] ? RESERVED : null;
    }

    private void write(Call call) {
        Submission known = writes.remove(call.reply());
        if (known == null) {
            begin(call.reply(), Operation.of(toEntry(call)), slot(call));
        } else {
            String error = known.error();
            if (error != null) {
                call.reply().error(error);
            } else {
                write(call.reply(), known.replies().getFirst());
            }
        }
    }

    /** Has the session wait for an operation, where this node leads. */
    private void begin(ReplyEncoder reply, Operation operation, int slot) {
        if (!stripe.isReady()) {
            reply.error(elsewhere(slot));
            return;
        }
        if (operation.sizeBytes() > REQUEST_MAX_BYTES) {
            reply.error("ERR a write of " + operation.sizeBytes() + " bytes is longer than an array takes: "
                    + REQUEST_MAX_BYTES);
            return;
        }
        Submission submission = new Submission(operation);
        writes.put(reply, submission);
        throw new NotReadyException(submission, false);
    }

    private String elsewhere(int slot) {
        String address = moved.get();
        return address.isEmpty() ? "CLUSTERDOWN The stripe has no leader now" : "MOVED " + slot + " " + address;
    }

    private static int slot(Call call) {
        int[] slot = {-1};
        call.command().keys().forEach(call.request(), key -> {
            if (slot[0] < 0) {
                slot[0] = KeySlot.of(Bytes.of(call.request(), key));
            }
        });
        return Math.max(slot[0], 0);
    }

    private static void write(ReplyEncoder reply, byte[] bytes) {
        reply.output().write(bytes, 0, bytes.length);
    }

    private void read(Call call) {
        BarrierWait known = reads.get(call.reply());
        if (known == null || !known.isFor(call.request())) {
            if (!stripe.isReady()) {
                call.reply().error(elsewhere(slot(call)));
                return;
            }
            BarrierWait wait = new BarrierWait(stripe.state().appliedIndex());
            reads.put(call.reply(), wait);
            throw new NotReadyException(wait, true);
        }
        Refusal refusal = known.refusal();
        if (refusal != null) {
            reads.remove(call.reply());
            call.reply()
                    .error(
                            refusal == Refusal.NOT_LEADER
                                    ? elsewhere(slot(call))
                                    : "CLUSTERDOWN No majority of the stripe answers");
            return;
        }
        stripe.state().clock().reading(true);
        try {
            local.run(call); // or not ready: its record is on the disk
        } finally {
            stripe.state().clock().reading(false);
        }
        reads.remove(call.reply());
    }

    private static EntryCall toEntry(Call call) {
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

    @Override
    public boolean transact(List<Call> calls, List<Watched> watched, ReplyEncoder reply, Runnable body) {
        Submission known = writes.remove(reply);
        if (known == null) {
            beginTransaction(calls, watched, reply, body);
            return false;
        }
        String error = known.error();
        if (error != null) {
            reply.error(error);
        } else if (known.isAborted()) {
            reply.nilArray();
        } else {
            answering = known.replies().iterator();
            try {
                body.run();
            } finally {
                answering = null;
            }
        }
        return false;
    }

    private void beginTransaction(List<Call> calls, List<Watched> watched, ReplyEncoder reply, Runnable body) {
        for (Call call : calls) {
            String refusal = refusal(call);
            if (refusal != null) {
                reply.error("EXECABORT Transaction discarded because of: " + refusal);
                return;
            }
        }
        if (calls.isEmpty() && watched.isEmpty()) {
            body.run();
            return;
        }
        List<WatchedKey> keys = watched.stream()
                .map(key -> new WatchedKey(key.key().toArray(), key.state()))
                .toList();
        Operation operation = new Operation(
                true, keys, calls.stream().map(StripeDatabase::toEntry).toList());
        int slot = calls.isEmpty() ? 0 : slot(calls.getFirst());
        begin(reply, operation, slot);
    }

    @Override
    public void runWithin(Call call) {
        Iterator<byte[]> replies = answering;
        if (replies == null) {
            throw new IllegalStateException("a command of a transaction, and none is answered");
        }
        write(call.reply(), replies.next());
    }

    @Override
    public Watched watch(int database, Bytes key) {
        return local.watch(database, key);
    }

    @Override
    public void patiently(Runnable commands) {
        local.patiently(commands);
    }

    @Override
    public void prepare(NotReadyException met, List<Call> next, Commit done) {
        switch (met.preparation()) {
            case Submission submission -> {
                submission.onEnd(() -> done.done(null));
                stripe.lane().submit(submission);
            }
            case BarrierWait wait -> {
                wait.onEnd(() -> done.done(null));
                stripe.await(wait);
            }
            default -> local.prepare(met, next, done);
        }
    }

    @Override
    public void commit(Commit done) {
        done.done(null); // what was replied is with a majority
    }
}
