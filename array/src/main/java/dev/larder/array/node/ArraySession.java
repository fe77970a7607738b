package dev.larder.array.node;

import dev.larder.array.barrier.Refusal;
import dev.larder.array.entry.EntryCall;
import dev.larder.array.entry.Operation;
import dev.larder.array.entry.Replies;
import dev.larder.array.entry.WatchedKey;
import dev.larder.array.stripe.StripeClock;
import dev.larder.resp.CommandFlag;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.command.Call;
import dev.larder.server.command.Database;
import dev.larder.server.command.InputPosition;
import dev.larder.server.command.NotReadyException;
import dev.larder.server.command.WaitingClient;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeySlot;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The path of a session to the stripes. A command is not ready at its first run: the session waits, and runs it again.
 *
 * <pre>
 *         first run                      meanwhile                             second run
 * write   its request is kept       ->   entry, majority, applied here    ->   the replies are written
 * read    waits for the barrier     ->   round, applied here              ->   reads the store of this node
 *         a key is at its end       ->   entries under way, applied here  ->   reads it again
 * both    an election is under way  ->   a leader is known, or 1 s        ->   runs here, or is sent on
 * </pre>
 *
 * Commands that a client has sent together go together. Commands after a waiting write go with it ({@link LookAhead}). Reads that
 * had come before a round began need no further round.
 */
final class ArraySession implements Database {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");

    /** The most commands that go with a waiting one: as many as a group of the lane has. */
    private static final int AHEAD_MOST = 1_023;

    private final ArrayDatabase loop;
    private final Stripes stripes;
    private final InputPosition position;

    /** Whether the client speaks TLS: then it is redirected to TLS ports only. */
    private final boolean encrypted;

    private final OpenWrites writes;
    private final OpenReads reads;
    private final LookAhead ahead;

    /** Whether the client accepts answers of mirrors. */
    private boolean readsMirrors;

    /** The end of the last command that has waited for a leader. */
    private long awaitedLeaderAt = -1;

    /** Whether the running command waits for writes, and arriving commands may go with them. */
    private boolean takesArrivals;

    /** Whether the running write may make its client wait: commands after it run later. */
    private boolean blocks;

    /** The replies of the transaction that is being answered. */
    private @Nullable Iterator<byte[]> answering;

    /** The store that must load a record from the disk. */
    private @Nullable Database preparing;

    ArraySession(ArrayDatabase loop, InputPosition position, boolean encrypted) {
        this.loop = loop;
        this.stripes = loop.stripes();
        this.position = position;
        this.encrypted = encrypted;
        this.writes = new OpenWrites(stripes.count());
        this.reads = new OpenReads(stripes);
        this.ahead = new LookAhead(stripes, writes);
    }

    /** Makes mirrors answer reads as well, or leaders alone. */
    void setReadsMirrors(boolean mirrors) {
        readsMirrors = mirrors;
    }

    @Override
    public void reset() {
        readsMirrors = false;
    }

    @Override
    public boolean run(Call call) {
        int slot = RequestSlots.of(call);
        blocks = isBlocking(call);
        if (slot == RequestSlots.NONE) {
            runOnAll(call);
        } else if (call.command().is(CommandFlag.WRITE)) {
            List<Submission> done = writes.done(
                    position.end(),
                    position.received(),
                    () -> List.of(submission(patientlyLeading(slot), Operation.of(OpenWrites.toEntry(call)))));
            reply(call, slot, done.getFirst());
        } else {
            read(call, slot);
        }
        return false;
    }

    private static boolean isBlocking(Call call) {
        return call.command().is(CommandFlag.BLOCKING);
    }

    /** Returns whether a read waits if there is nothing to read: {@code XREAD} with {@code BLOCK}. */
    private static boolean mayWait(Call call) {
        if (!isBlocking(call)) {
            return false;
        }
        Request request = call.request();
        for (int i = 1; i < request.count() && !request.is(i, "streams"); i++) {
            if (request.is(i, "block")) {
                return true;
            }
        }
        return false;
    }

    /** Writes the reply, or makes the client wait if its group has nothing new. */
    private void reply(Call call, int slot, Submission done) {
        requireDone(done, slot);
        byte[] reply = done.replies().getFirst();
        WaitingClient client = call.client();
        if (client == null || !Replies.isNil(reply) || !isBlocking(call)) {
            write(call.reply(), reply);
            return;
        }
        reads.forget();
        byte[] look = new BlockedGroupRead(leading(slot), done.operation(), call, client).look();
        if (look != null && BlockedGroupRead.isReady(look)) {
            Submission again = submission(leading(slot), done.operation());
            writes.done(position.end(), position.received(), () -> List.of(again)); // not done
        } else if (look != null) {
            write(call.reply(), look);
        }
    }

    private Submission submission(Stripe leading, Operation operation) {
        return OpenWrites.checked(writes.begin(leading, operation, position.end(), position.received()));
    }

    /** Returns this node's leading member of a slot's stripe, or makes the running command wait during an election. */
    private Stripe patientlyLeading(int slot) {
        int number = stripes.slots().stripeOf(slot);
        Stripe stripe = stripes.here(number);
        boolean isLeading = stripe != null && stripe.beginServing();
        if (!isLeading && awaitedLeaderAt != position.end() && stripes.isElecting(number)) {
            awaitedLeaderAt = position.end();
            throw new NotReadyException(new LeaderWait(stripes, number), true);
        }
        return leading(slot);
    }

    /** Returns this node's leading member of a slot's stripe. */
    private Stripe leading(int slot) {
        Stripe stripe = stripes.here(stripes.slots().stripeOf(slot));
        if (stripe == null || !stripe.beginServing()) {
            throw stripes.elsewhere(slot, encrypted);
        }
        return stripe;
    }

    /** Requires a write to be done. An entry of this leader that was submitted after reads came confirms them as a round does. */
    private void requireDone(Submission done, int slot) {
        if (done.isRefused()) {
            throw stripes.elsewhere(slot, encrypted);
        }
        String error = done.error();
        if (error != null) {
            throw new ReplyException(error);
        }
        reads.confirmedBy(done);
    }

    private static void write(ReplyEncoder reply, byte[] bytes) {
        if (bytes.length > 0 && bytes[0] == '-') { // counted as an error
            reply.error(new String(bytes, 1, bytes.length - 3, StandardCharsets.UTF_8));
        } else {
            reply.output().write(bytes, 0, bytes.length);
        }
    }

    private void read(Call call, int slot) {
        byte[] early = ahead.reply(position.end());
        if (early != null) {
            write(call.reply(), early);
            return;
        }
        Stripe here = stripes.here(stripes.slots().stripeOf(slot));
        if (here != null && readsMirrors && !mayWait(call) && !here.isReady() && isReadFresh(here, call)) {
            return;
        }
        Stripe stripe = patientlyLeading(slot);
        Refusal refusal = reads.confirm(position, List.of(stripe));
        if (refusal != null) {
            throw refused(refusal, slot);
        }
        readLed(stripe, call, slot);
    }

    private boolean isReadFresh(Stripe mirror, Call call) {
        return MirrorAge.readFresh(
                mirror::isFresh,
                call.reply(),
                () -> read(mirror, call, mirror.state().clock().systemMillis()));
    }

    private ReplyException refused(Refusal refusal, int slot) {
        return refusal == Refusal.NOT_LEADER
                ? stripes.elsewhere(slot, encrypted)
                : new ReplyException("CLUSTERDOWN No majority of the stripe answers");
    }

    /**
     * Reads the leader's store. If the read finds a key alive that has expired by the read's time, makes it wait. The node must
     * lead throughout. As a leadership ends, so do its entries under way, but its successor may still commit them.
     */
    private void readLed(Stripe stripe, Call call, int slot) {
        long term = stripe.servedTerm();
        ReplyEncoder reply = call.reply();
        int before = reply.output().sizeBytes();
        reply.mark();
        boolean isUnclear = read(stripe, call, reads.millis(stripe));
        boolean waits = reply.output().sizeBytes() == before; // for a change of a key, which may not be there
        if (!waits && !stripe.servesIn(term)) {
            reply.reset();
            throw stripes.elsewhere(slot, encrypted);
        }
        if (isUnclear && !waits && reads.settle(position, stripe)) {
            reply.reset();
            throw new NotReadyException(new EntriesWait(stripe), false);
        }
    }

    /** Reads the store of a member at a time. Returns whether the read found a key that has expired by then. */
    private boolean read(Stripe stripe, Call call, long millis) {
        Database store = loop.store(stripe);
        StripeClock clock = stripe.state().clock();
        clock.beginRead(millis);
        boolean isUnclear;
        try {
            store.run(call);
        } catch (NotReadyException e) { // a record is on the disk
            preparing = store;
            throw e;
        } finally {
            isUnclear = clock.endRead();
        }
        if (isBlocking(call)) {
            stripe.endWaitsUnlessReady(); // the client may wait now, though the leadership has ended meanwhile
            reads.forget();
        }
        return isUnclear;
    }

    /** Runs a command that names no keys, on all stripes that this node leads. */
    private void runOnAll(Call call) {
        blocks = false;
        List<Stripe> led = stripes.led();
        if (call.command().is(CommandFlag.WRITE)) {
            WholeKeys.requireAllowed(call.command());
            Operation operation = Operation.of(OpenWrites.toEntry(call));
            List<Submission> done = writes.done(
                    position.end(),
                    position.received(),
                    () -> led.stream()
                            .map(stripe -> writes.begin(stripe, operation, position.end(), position.received()))
                            .toList());
            if (done.isEmpty()) {
                call.reply().ok();
            } else {
                done.forEach(one ->
                        requireDone(one, stripes.slots().first(one.stripe().number())));
                write(call.reply(), done.getFirst().replies().getFirst());
            }
        } else {
            Refusal refusal = led.isEmpty() ? null : reads.confirm(position, led);
            if (refusal != null) {
                throw refused(refusal, stripes.slots().first(led.getFirst().number()));
            }
            WholeKeys.read(
                    led,
                    call,
                    (stripe, part) -> readLed(stripe, part, stripes.slots().first(stripe.number())));
        }
    }

    @Override
    public boolean transact(
            List<Call> calls, List<Watched> watched, Predicate<Call> mayRun, ReplyEncoder reply, Runnable body) {
        blocks = false;
        if (calls.isEmpty() && watched.isEmpty()) {
            body.run();
            return false;
        }
        List<Submission> begun =
                writes.holds(position.end()) ? List.of() : List.of(transaction(calls, watched, mayRun));
        boolean isTouched = watched.stream().anyMatch(key -> key.watch().isTouched());
        if (isTouched && !begun.isEmpty()) { // the mirrors compare states, and the state may be the same again
            reply.nilArray();
            return false;
        }
        Submission done =
                writes.done(position.end(), position.received(), () -> begun).getFirst();
        requireDone(done, calls.isEmpty() ? KeySlot.of(watched.getFirst().key()) : RequestSlots.of(calls.getFirst()));
        if (done.isAborted()) {
            reply.nilArray();
            return false;
        }
        answering = done.replies().iterator();
        try {
            body.run();
        } finally {
            answering = null;
        }
        return false;
    }

    /**
     * Returns the entry's part of a transaction: the commands that the user may run. The body writes the errors of the others.
     */
    private Submission transaction(List<Call> calls, List<Watched> watched, Predicate<Call> mayRun) {
        RequestSlots slots = new RequestSlots();
        try {
            for (Call call : calls) {
                slots.add(call);
                if (slots.slot() == RequestSlots.NONE || RequestSlots.of(call) == RequestSlots.NONE) {
                    throw new ReplyException("ERR '" + call.command().name() + "' names no key, but a transaction of an"
                            + " array needs keys of one slot");
                }
            }
            watched.forEach(key -> slots.add(key.key()));
        } catch (ReplyException e) {
            throw e.line().startsWith("CROSSSLOT")
                    ? e
                    : new ReplyException("EXECABORT Transaction discarded because of: " + e.line());
        }
        List<WatchedKey> keys = watched.stream()
                .map(key -> new WatchedKey(key.key().toArray(), key.state()))
                .toList();
        Stripe stripe = patientlyLeading(slots.slot());
        List<EntryCall> allowed =
                calls.stream().filter(mayRun).map(OpenWrites::toEntry).toList();
        return submission(stripe, new Operation(true, keys, allowed));
    }

    @Override
    public void runWithin(Call call) {
        Iterator<byte[]> replies = answering;
        if (replies == null) {
            throw new IllegalStateException("a command of a transaction, and none is answered");
        }
        write(call.reply(), replies.next());
    }

    /** Looks at the key here, without the barrier. If that state is old, the transaction finds another one, and is not run. */
    @Override
    public Watched watch(int database, Bytes key) {
        blocks = true; // a write after it would not end the watch
        Stripe stripe = patientlyLeading(KeySlot.of(key));
        Database store = loop.store(stripe);
        try {
            Watched watched = store.watch(database, key);
            return new Watched(
                    watched.database(), watched.key(), watched.state(), new StripeWatch(stripe, watched.watch()));
        } catch (NotReadyException e) { // a record is on the disk, or the queue of a stream is closed
            preparing = store;
            throw e;
        }
    }

    @Override
    public void patiently(Runnable commands) {
        Runnable all = commands;
        for (Stripe stripe : stripes.here()) {
            Runnable inner = all;
            all = () -> loop.store(stripe).patiently(inner);
        }
        all.run();
    }

    @Override
    public int aheadMost() {
        return AHEAD_MOST;
    }

    @Override
    public boolean hearsOfArrivals() {
        return true;
    }

    @Override
    public void arrived(List<Upcoming> next) {
        if (takesArrivals) {
            ahead.arrived(next, position.received());
        }
    }

    @Override
    public void prepare(NotReadyException met, List<Upcoming> next, Commit done) {
        takesArrivals = false;
        switch (met.preparation()) {
            case OpenWrites.Waiting waiting -> {
                ahead.submit(waiting.submissions(), blocks ? List.of() : next, position.end(), position.received());
                takesArrivals = !blocks;
                SessionWait.onEndOfAll(waiting.submissions(), () -> tell(done));
            }
            case LeaderWait wait -> {
                ahead.awaitLeader(wait.stripe(), blocks ? List.of() : next, position.received());
                takesArrivals = !blocks;
                wait.onEnd(() -> tell(done));
                wait.begin();
            }
            case EntriesWait wait -> {
                wait.onEnd(() -> tell(done));
                wait.begin();
            }
            case OpenReads.Waiting waiting -> {
                SessionWait.onEndOfAll(waiting.waits(), () -> tell(done));
                loop.await(waiting.waits());
            }
            default -> {
                Database store = preparing;
                if (store == null) {
                    throw new IllegalStateException("nothing is to be prepared", met);
                }
                store.prepare(met, List.of(), done);
            }
        }
    }

    private static void tell(Commit done) {
        try {
            done.done(null);
        } catch (RejectedExecutionException e) { // the loop has ended, and its sessions with it
            LOGGER.log(System.Logger.Level.DEBUG, e.getMessage());
        }
    }

    @Override
    public void commit(Commit done) {
        done.done(null); // the effects of all replies are on a majority
    }
}
