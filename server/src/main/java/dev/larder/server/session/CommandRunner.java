package dev.larder.server.session;

import dev.larder.memory.LarderException;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.command.Call;
import dev.larder.server.command.Database;
import dev.larder.server.command.Database.Watched;
import dev.larder.server.command.Handler;
import dev.larder.server.command.NotReadyException;
import dev.larder.server.push.Turn;
import dev.larder.server.store.KeyLengths;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs the commands of a session, one after the other, and writes a reply for each.
 *
 * <pre>
 * request -> known, right number of arguments, allowed
 *              -> within MULTI: kept
 *              -> about keys: the database      -> reply
 *              -> else: the session's handler   -> reply
 * </pre>
 */
final class CommandRunner {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");

    private static final String EXEC = "exec";
    private static final String DISCARDED = "EXECABORT Transaction discarded because of: ";

    /** Errors that tell the client to ask another node, or to ask again: client libraries act on these as they are. */
    private static final Set<String> ELSEWHERE =
            Set.of("ASK", "CLUSTERDOWN", "CROSSSLOT", "EXECABORT", "MOVED", "TRYAGAIN");

    private final Session session;
    private final Node node;
    private final Database database;
    private final ReplyEncoder reply;
    private final Transaction transaction;
    private final Pushes pushes;
    private final Preparing preparing;
    private final Refusals refusals;
    private final KeyLengths keyLengths = new KeyLengths();

    /** The turn of the loop's thread. */
    private final Turn turn;

    /** The bytes that the client has sent behind the running command. */
    private @Nullable ByteBuffer unread;

    private @Nullable Call lastCall;

    /** The running command, how many errors there were before, and when it began. */
    private @Nullable KnownCommand running;

    private @Nullable Request runningRequest;
    private int errorsBefore;
    private long begun;

    /** A command that was not ready: it is counted and shown to monitors when it has replied. */
    private record Late(KnownCommand known, Request request, int errorsBefore, long begun) {}

    private @Nullable Late late;

    /** How many errors were reported to the node. */
    private int toldErrors;

    /** Whether the commands of a transaction are running; their replies are parts of one. */
    private boolean executing;

    CommandRunner(Session session) {
        this.session = session;
        this.node = session.node();
        this.database = session.database();
        this.reply = session.reply();
        this.transaction = session.transaction();
        this.pushes = session.pushes();
        this.preparing = new Preparing(session);
        this.refusals = new Refusals(session);
        this.turn = node.tracking().turn();
    }

    /** Returns whether a command waits for the disk, for room or for a time. */
    boolean isWaiting() {
        return preparing.isOn();
    }

    /** Returns whether a command waits for a time. Any thread may call this. */
    boolean isTimed() {
        return preparing.isTimed();
    }

    /** Ends the wait for a time, with its reply or with an error; returns whether there was one. Any thread may call this. */
    boolean endDelay(@Nullable ReplyException error) {
        return preparing.endDelay(error);
    }

    /** Ends the wait of a client that is gone. */
    void end() {
        preparing.end();
    }

    /** Returns whether a command waits for the disk or for room. */
    boolean isPreparing() {
        return preparing.isOn() && !preparing.isTimed();
    }

    /** Handles input that arrives while a command waits. */
    void arrived(ByteBuffer unread) {
        preparing.arrived(unread);
    }

    /** Returns whether the commands of a transaction are running. */
    boolean isExecuting() {
        return executing;
    }

    /**
     * Runs a command, and writes its reply, unless it waits.
     *
     * @param unread the bytes that the client has sent behind it
     */
    void run(Request request, @Nullable ByteBuffer unread) {
        this.unread = unread;
        int before = reply.output().sizeBytes();
        @Nullable KnownCommand known = null;
        try {
            known = node.commands().find(request);
            requireAllowed(known, request);
            before = reply.output().sizeBytes(); // evictions may have written messages, which stay
            if (session.halt().holds(known.command(), transaction)) {
                return;
            }
            run(known, request);
        } catch (ReplyException e) {
            if (known == null && (request.is(0, "post") || request.is(0, "host:"))) {
                session.halt().close("sends HTTP, as a browser does in a cross-protocol attack");
                return;
            }
            fail(e.line());
            pushes.tracking().after(known == null ? null : known.command(), transaction.isOpen());
        } catch (RuntimeException | StackOverflowError e) {
            takeBack(before);
            fail(lineOf(e));
        }
        if (!preparing.isOn()) {
            hasReplied();
        }
    }

    /** Ends a command, behind its reply. */
    void hasReplied() {
        Late ended = late;
        if (ended != null) {
            late = null;
            count(ended.known(), ended.request(), hasFailed(ended.known(), ended.errorsBefore()), ended.begun());
            session.blocking().dropKept(); // it may have failed before it took what was made for it
        }
        tellErrors();
        if (!session.blocking().isOn()) { // else its reply comes at the end of the wait
            session.client().countReplies();
        }
        session.writePushes();
    }

    /** Gives up a command that was not ready and never will be; returns the error for the client. */
    String giveUp(Throwable error) {
        String line = error instanceof ReplyException refusal ? refusal.line() : lineOf(error);
        Late given = late;
        if (given == null || !isExec(given.known())) {
            return line;
        }
        transaction.unwatch();
        return ELSEWHERE.contains(line.split(" ", 2)[0]) ? line : DISCARDED + line;
    }

    private static boolean isExec(KnownCommand known) {
        return known.command().name().equals(EXEC);
    }

    /** Runs a command that was not ready again later, in a turn of its own. */
    private void later(NotReadyException met, Request kept, Runnable again) {
        late = new Late(Objects.requireNonNull(running), kept, errorsBefore, begun);
        boolean excepted = pushes.tracking().isExcepted();
        Runnable inTurn = () -> {
            if (session.authority().user().isRemoved()) { // as in Redis, its clients run nothing more, and are closed
                late = null;
                session.close();
                return;
            }
            if (excepted) {
                pushes.tracking().except();
            }
            turn.begin(session.id());
            try {
                again.run();
            } finally {
                node.tracking().finish(turn);
                pushes.tracking().endException();
            }
        };
        preparing.begin(met, inTurn, unread);
    }

    private void requireAllowed(KnownCommand known, Request request) {
        try {
            if (!known.command().takes(request.count())) {
                throw new ReplyException(known.command().wrongArity());
            }
            session.setLastCommand(known.command().name());
            keyLengths.require(known.command(), request);
            session.authority().require(session, known.command(), request);
            pushes.subscriptions().require(known.command(), reply.version());
            session.client().require(known.command());
            refusals.require(known.command());
        } catch (ReplyException e) {
            known.rejected().increment();
            throw isExec(known) ? discarded(e) : e;
        }
    }

    /** Ends a transaction whose EXEC is refused, and returns the error for its client. */
    private ReplyException discarded(ReplyException refusal) {
        transaction.discard();
        String line = refusal.line();
        return new ReplyException(DISCARDED + (line.startsWith("ERR ") ? line.substring("ERR ".length()) : line));
    }

    /**
     * Returns whether a command on keys would be run now. It reports nothing.
     *
     * @throws ReplyException if a key is too long
     */
    boolean mayRun(KnownCommand known, Request request) {
        if (known.onKeys() == null || !known.command().takes(request.count())) {
            return false;
        }
        keyLengths.require(known.command(), request);
        return session.authority().allows(known.command(), request)
                && !node.pause().isOn();
    }

    /** Takes back what a command has written of its reply, so that its error is the whole reply. */
    void takeBack(int sizeBytes) {
        if (reply.output().sizeBytes() > sizeBytes) {
            reply.output().truncate(sizeBytes);
        }
    }

    /** Logs an error that the client has not caused, and returns the error for the client. */
    String lineOf(Throwable error) {
        if (error instanceof LarderException) {
            LOGGER.log(System.Logger.Level.WARNING, "client " + session.id() + ": " + error.getMessage(), error);
            return "ERR " + error.getMessage();
        }
        LOGGER.log(System.Logger.Level.ERROR, "client " + session.id() + ": " + error, error);
        return "ERR internal error: " + error;
    }

    private void fail(String line) {
        transaction.spoil(); // only while it is open
        reply.error(line);
    }

    private void run(KnownCommand known, Request request) {
        if (transaction.isOpen() && transaction.keeps(known.command())) {
            transaction.add(known, request);
            reply.status("QUEUED");
            return;
        }
        running = known;
        runningRequest = request;
        errorsBefore = reply.errors();
        begun = System.nanoTime();
        turn.begin(session.id());
        boolean failed = true;
        try {
            runNow(known, request);
            failed = hasFailed(known, errorsBefore);
        } finally {
            if (late == null) {
                count(known, request, failed, begun);
            }
            node.tracking().finish(turn);
            pushes.tracking().after(known.command(), transaction.isOpen());
        }
    }

    /** Returns whether a command has replied an error. A transaction does not fail by this: only its commands fail. */
    private boolean hasFailed(KnownCommand known, int errors) {
        return reply.errors() != errors && !isExec(known);
    }

    private void count(KnownCommand known, Request request, boolean failed, long from) {
        node.monitors().show(session, known.command(), request);
        countRun(known, request, failed, System.nanoTime() - from);
    }

    private void countRun(KnownCommand known, Request arguments, boolean failed, long nanos) {
        known.calls().increment();
        known.nanos().add(nanos);
        if (failed) {
            known.failed().increment();
        }
        node.listener().ran(session, known, arguments, nanos);
    }

    /** Counts the error with which the wait of the last command has ended. */
    void hasFailed(String line) {
        toldErrors = reply.errors(); // it may be among them
        node.listener().failed(line);
        KnownCommand waited = lastCall == null ? null : node.commands().known(lastCall.command());
        if (waited != null) {
            waited.failed().increment();
        }
    }

    private void tellErrors() {
        if (reply.errors() != toldErrors) {
            toldErrors = reply.errors();
            node.listener().failed(reply.lastError());
        }
    }

    private void runNow(KnownCommand known, Request arguments) {
        Handler onKeys = known.onKeys();
        pushes.tracking().before(known.command(), arguments);
        if (onKeys != null) {
            try {
                session.requireCommit(database.run(call(known, arguments)));
            } catch (NotReadyException e) {
                Request kept = arguments.copy();
                later(e, kept, () -> {
                    pushes.tracking().before(known.command(), kept); // clients may have changed the keys meanwhile
                    session.requireCommit(database.run(call(known, kept)));
                });
            }
        } else {
            Objects.requireNonNull(known.onSession()).run(session, arguments);
        }
    }

    /** Returns a call; it is the last one again if nothing differs, because a client mostly repeats its commands. */
    @SuppressWarnings("ReferenceEquality") // equal requests are not the same place in memory
    Call call(KnownCommand known, Request arguments) {
        Call call = lastCall;
        if (call == null
                || call.command() != known.command()
                || call.request() != arguments
                || call.database() != session.databaseIndex()) {
            Handler onKeys = Objects.requireNonNull(known.onKeys());
            call = new Call(known.command(), onKeys, arguments, session.databaseIndex(), reply, session.blocking());
            lastCall = call;
        }
        return call;
    }

    /** Runs the commands of the open transaction, and ends it. */
    void execute() {
        Transaction.Queued[] queued = transaction.take();
        List<Call> calls = Transaction.calls(queued, session);
        List<Watched> watched = transaction.watched();
        TransactionRights rights = new TransactionRights(session);
        runOrWait(() -> transact(calls, watched, rights, queued));
    }

    /** Runs the action of a command now, or again when it is ready. The action keeps nothing of the request. */
    void runOrWait(Runnable body) {
        try {
            body.run();
        } catch (NotReadyException e) {
            later(e, Objects.requireNonNull(runningRequest).copy(), body);
        }
    }

    private void transact(
            List<Call> calls, List<Watched> watched, TransactionRights rights, Transaction.Queued[] queued) {
        executing = true;
        boolean ends = true;
        try {
            session.requireCommit(database.transact(calls, watched, rights::mayRun, reply, () -> {
                reply.array(queued.length);
                for (Transaction.Queued one : queued) {
                    runWithin(one, rights);
                }
            }));
        } catch (NotReadyException e) { // it is run again
            ends = false;
            throw e;
        } finally {
            executing = false;
            if (ends) {
                transaction.unwatch();
            }
        }
    }

    private void runWithin(Transaction.Queued one, TransactionRights rights) {
        pushes.tracking().before(one.known().command(), one.request());
        int errors = reply.errors();
        try {
            rights.require(one.known().command(), one.request());
            long from = System.nanoTime();
            runWithinNow(one);
            countRun(one.known(), one.request(), reply.errors() != errors, System.nanoTime() - from);
        } catch (ReplyException e) {
            one.known().rejected().increment();
            reply.error(e.line());
        }
        tellErrors();
        node.monitors().show(session, one.known().command(), one.request());
    }

    private void runWithinNow(Transaction.Queued one) {
        int before = reply.output().sizeBytes();
        try {
            if (one.known().onKeys() != null) {
                database.runWithin(call(one.known(), one.request()));
            } else {
                Objects.requireNonNull(one.known().onSession()).run(session, one.request());
            }
        } catch (ReplyException e) {
            reply.error(e.line());
        } catch (RuntimeException | StackOverflowError e) { // the other commands reply nevertheless
            takeBack(before);
            reply.error(lineOf(e));
        }
    }

    /** Replies after a time, and runs nothing until then; at once within a transaction. */
    void replyAfter(long millis, Runnable replying) {
        if (executing || millis == 0) {
            replying.run();
        } else {
            preparing.delay(millis, replying);
        }
    }

    /** Refuses a command within a transaction. */
    void requireNotExecuting(String otherwise) {
        if (executing) {
            throw new ReplyException("ERR " + otherwise);
        }
    }
}
