package dev.larder.server.session;

import dev.larder.memory.LarderException;
import dev.larder.resp.ProtocolException;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import dev.larder.resp.RequestParser;
import dev.larder.server.command.Call;
import dev.larder.server.command.Database;
import dev.larder.server.command.Database.Watched;
import dev.larder.server.command.Handler;
import dev.larder.server.command.NotReadyException;
import dev.larder.server.command.ReplyException;
import dev.larder.server.push.Turn;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection: takes its requests in their order, and writes a reply for each. Of one loop.
 *
 * <pre>
 * bytes -> parser -> command: known, right number of arguments, allowed
 *                       -> within MULTI: kept
 *                       -> about keys: the database      -> reply
 *                       -> else: the session's handler   -> reply
 * end of a turn: replies are sent, after a commit if one of them needs it
 * </pre>
 */
@SuppressWarnings("exports") // who uses this does not need the annotations of nullness
public final class Session {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");

    private final Node node;
    private final Link link;
    private final Database database;
    private final long id;
    private final long createdMillis = System.currentTimeMillis();
    private final Request request = new Request();
    private final RequestParser parser;
    private final SessionOutput output;
    private final ReplyEncoder reply;
    private final Transaction transaction = new Transaction();
    private final ClientState client;
    private final Pushes pushes;
    private final Halt halt;
    private final Usage usage;

    /** The turn of the loop's thread. */
    private final Turn turn;

    private final Blocking blocking = new Blocking(this);

    private final Preparing preparing = new Preparing(this);

    /** What is taken from now; null between two turns. */
    private @Nullable ByteBuffer unread;

    private final Authority authority;

    /** How many errors the node has heard of. */
    private int toldErrors;

    private int databaseIndex;
    private @Nullable Call lastCall;
    private volatile String lastCommand = "";
    private volatile long lastMillis = createdMillis;

    /** The replies of this turn may go only after a commit. */
    private boolean uncommitted;

    /** How many bytes the request has that is run; 0 between requests. */
    private int requestBytes;

    /** The commands of a transaction are run; their replies are parts of one. */
    private boolean executing;

    /** A commit is under way; nothing is run meanwhile. */
    private boolean committing;

    /** The client is to be closed when its replies are sent; nothing is run any more. */
    private volatile boolean closing;

    /** A session on a link, whose commands on keys run on a database of the link's loop. */
    public Session(Node node, Link link, Database database) {
        this.node = node;
        this.link = link;
        this.database = database;
        this.id = node.nextId();
        this.parser = new RequestParser(node.limits());
        this.output = new SessionOutput(link.output());
        this.reply = new ReplyEncoder(output);
        this.client = new ClientState(output);
        this.halt = new Halt(this, node.pause());
        this.usage = new Usage(this);
        this.pushes = new Pushes(this, output, this::deliver);
        this.turn = node.tracking().turn();
        link.keepAlive(node.clientLimits().keepAliveSeconds());
        this.authority = new Authority(node, parser);
        node.add(this);
        String refusal = node.admission().refusal(this);
        if (refusal != null) {
            reply.error(refusal);
            close();
        }
    }

    /** Returns the number of the session, which no other has. */
    public long id() {
        return id;
    }

    /** Returns what all sessions share. */
    public Node node() {
        return node;
    }

    /** Returns the connection. */
    public Link link() {
        return link;
    }

    /** Returns where replies go. */
    public ReplyEncoder reply() {
        return reply;
    }

    /** Returns the keys. */
    public Database database() {
        return database;
    }

    /** Returns the number of the database that the client has selected. */
    public int databaseIndex() {
        return databaseIndex;
    }

    void select(int index) {
        databaseIndex = index;
    }

    ClientState client() {
        return client;
    }

    /** Returns what the client is sent without a request. */
    Pushes pushes() {
        return pushes;
    }

    /** Returns the name of the client's user. */
    String user() {
        return authority.user().name();
    }

    /** Returns whether the client waits for something that others do. Any thread. */
    public boolean isBlocked() {
        return halt.isHeld() || blocking.isOn();
    }

    /** Returns what keeps the session from its next request. */
    Halt halt() {
        return halt;
    }

    /** Returns what the session takes. */
    Usage usage() {
        return usage;
    }

    boolean isClosing() {
        return closing;
    }

    /** Ends the wait of a blocked command, as its timeout would or with an error; returns whether there was one. */
    boolean unblock(boolean withError) {
        return blocking.unblock(withError);
    }

    /** Returns how many bytes of requests are here that are not run yet, the one that runs included. */
    long queryBytes() {
        return requestBytes + link.queryBytes();
    }

    Transaction transaction() {
        return transaction;
    }

    /** Returns the client's user. */
    public Authority authority() {
        return authority;
    }

    /** Returns the name that the client has given itself; empty if none. Any thread. */
    public String name() {
        return client.name();
    }

    void setName(String text) {
        client.name(text);
    }

    /** Returns the name of the last command. Any thread. */
    public String lastCommand() {
        return lastCommand;
    }

    /** Returns when the last command came, in milliseconds since 1970. Any thread. */
    public long lastMillis() {
        return lastMillis;
    }

    /** Returns when the connection was made, in milliseconds since 1970. Any thread. */
    public long createdMillis() {
        return createdMillis;
    }

    /** Returns whether the session takes no request now. */
    public boolean isPaused() {
        return isWaiting() || link.isFull();
    }

    /** Returns whether the session takes no request until something has happened. */
    public boolean isWaiting() {
        return committing || closing || halt.isOn() || blocking.isOn() || preparing.isOn();
    }

    /** Returns whether the client waits for keys to change. Any thread. */
    public boolean waitsForKeys() {
        return blocking.isOn();
    }

    /** Takes note of the reply that a blocked command has got. */
    void afterWait(boolean needsCommit) {
        uncommitted |= needsCommit;
    }

    /** Takes requests from a buffer, whose position goes behind those that are whole. */
    public void process(ByteBuffer in) {
        unread = in;
        try {
            int from = in.position();
            while (!isPaused() && parser.parse(in, request)) {
                requestBytes = in.position() - from;
                if (request.count() > 0) {
                    run();
                }
                if (halt.isHeld()) {
                    in.position(from); // it is taken again later
                }
                from = in.position();
            }
            requestBytes = 0;
        } catch (ProtocolException e) {
            reply.error(e.reply());
            close();
        } finally {
            unread = null;
        }
    }

    /** Returns how many bytes more the request needs at least that has begun. */
    public long missingBytes(ByteBuffer in) {
        return parser.missingBytes(in);
    }

    /** Closes the connection after the replies that are written. */
    public void close() {
        closing = true;
    }

    /** Sends what has come without a request. */
    private void deliver() {
        if (!closing && !halt.isKilled()) {
            writePushes();
            endTurn();
        }
    }

    /** Writes what has come without a request, but for within the array of a transaction's replies. */
    void writePushes() {
        if (!executing) {
            pushes.write();
        }
    }

    /** Closes the connection if it listens to a channel to which its user has no right, in its own thread. Any thread. */
    public void checkChannelsSoon() {
        link.execute(() -> {
            if (!authority.allowsAll(pushes.subscriptions())) {
                close();
                endTurn();
            }
        });
    }

    /** Closes the connection after the replies that are written, in its own thread. Any thread. */
    public void closeSoon() {
        link.execute(() -> {
            close();
            endTurn();
        });
    }

    /** Ends a turn of the loop: sends the replies, or has them wait for a commit. */
    public void endTurn() {
        String excess = closing || halt.isKilled() ? null : usage.excess();
        if (excess != null) {
            halt.close(excess);
        } else if (uncommitted && !committing) {
            uncommitted = false;
            committing = true;
            database.commit(error -> link.execute(() -> committed(error)));
        } else if (!committing) {
            send();
        }
    }

    private void send() {
        if (closing) {
            link.closeAfterFlush();
        } else {
            link.flush();
        }
    }

    private void committed(@Nullable Throwable error) {
        committing = false;
        if (error != null) { // what was replied is not true: better no reply
            LOGGER.log(
                    System.Logger.Level.ERROR, "client " + id + " is closed: its writes may be lost: " + error, error);
            link.abort();
            return;
        }
        send();
        if (!closing) {
            link.resume();
        }
    }

    /** Ends the session; its connection is closed. */
    public void end() {
        closing = true;
        blocking.end();
        transaction.discard();
        pushes.end();
        node.remove(this);
        halt.end();
    }

    /** Has the replies of this turn go only after a commit. */
    void requireCommit() {
        uncommitted = true;
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

    private void run() {
        lastMillis = System.currentTimeMillis();
        try {
            KnownCommand known = node.commands().find(request);
            requireAllowed(known);
            if (halt.holds(known.command(), transaction)) {
                return;
            }
            run(known);
        } catch (ReplyException e) {
            fail(e.line());
        } catch (LarderException e) {
            LOGGER.log(System.Logger.Level.WARNING, "client " + id + ": " + e.getMessage(), e);
            fail("ERR " + e.getMessage());
        } catch (RuntimeException | StackOverflowError e) {
            LOGGER.log(System.Logger.Level.ERROR, "client " + id + ": " + e, e);
            fail("ERR internal error: " + e);
        }
        if (!preparing.isOn()) {
            hasReplied();
        }
    }

    /** Ends a command, behind its reply. */
    void hasReplied() {
        tellErrors();
        client.countReplies();
        writePushes();
    }

    /** Has a command that was not ready run again, in a turn of its own. */
    private void later(NotReadyException met, Runnable again) {
        boolean excepted = pushes.tracking().isExcepted();
        Runnable inTurn = () -> {
            if (excepted) {
                pushes.tracking().except();
            }
            turn.begin(id);
            try {
                again.run();
            } finally {
                node.tracking().finish(turn);
                pushes.tracking().endException();
            }
        };
        preparing.begin(met, inTurn, unread);
    }

    private void requireAllowed(KnownCommand known) {
        try {
            if (!known.command().takes(request.count())) {
                throw new ReplyException(known.command().wrongArity());
            }
            lastCommand = known.command().name();
            authority.require(this, known.command(), request);
            pushes.subscriptions().require(known.command(), reply.version());
            client.require(known.command());
        } catch (ReplyException e) {
            known.rejected().increment();
            throw e;
        }
    }

    private void fail(String line) {
        transaction.spoil(); // only while it is open
        reply.error(line);
    }

    private void run(KnownCommand known) {
        if (transaction.isOpen() && transaction.keeps(known.command())) {
            transaction.add(known, request);
            reply.status("QUEUED");
            return;
        }
        int errors = reply.errors();
        long from = System.nanoTime();
        turn.begin(id);
        boolean failed = true;
        try {
            runNow(known, request);
            failed = reply.errors() != errors && !known.command().name().equals("exec"); // its commands fail alone
        } finally {
            node.monitors().show(this, known.command(), request);
            node.tracking().finish(turn);
            pushes.tracking().after(known.command(), transaction.isOpen());
            count(known, request, failed, System.nanoTime() - from);
        }
    }

    private void count(KnownCommand known, Request arguments, boolean failed, long nanos) {
        known.calls().increment();
        known.nanos().add(nanos);
        if (failed) {
            known.failed().increment();
        }
        node.listener().ran(this, known, arguments, nanos);
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
                uncommitted |= database.run(call(known, arguments));
            } catch (NotReadyException e) {
                Request kept = arguments.copy();
                later(e, () -> {
                    pushes.tracking().before(known.command(), kept); // others may have changed the keys meanwhile
                    uncommitted |= database.run(call(known, kept));
                });
            }
        } else {
            Objects.requireNonNull(known.onSession()).run(this, arguments);
        }
    }

    /** Returns a call, the last one again where nothing differs: a client mostly repeats its commands. */
    Call call(KnownCommand known, Request arguments) {
        Call call = lastCall;
        if (call == null
                || call.command() != known.command()
                || call.request() != arguments
                || call.database() != databaseIndex) {
            call = new Call(
                    known.command(), Objects.requireNonNull(known.onKeys()), arguments, databaseIndex, reply, blocking);
            lastCall = call;
        }
        return call;
    }

    /** Runs the commands of the open transaction, and ends it. */
    void execute() {
        Transaction.Queued[] queued = transaction.take();
        List<Call> calls = transaction.calls(queued, databaseIndex, reply);
        List<Watched> watched = transaction.takeWatched();
        Runnable run = () -> transact(calls, watched, queued);
        try {
            run.run();
        } catch (NotReadyException e) {
            later(e, run);
        }
    }

    private void transact(List<Call> calls, List<Watched> watched, Transaction.Queued[] queued) {
        executing = true;
        try {
            uncommitted |= database.transact(calls, watched, reply, () -> {
                reply.array(queued.length);
                for (Transaction.Queued one : queued) {
                    runWithin(one);
                }
            });
        } finally {
            executing = false;
        }
    }

    private void runWithin(Transaction.Queued one) {
        pushes.tracking().before(one.known().command(), one.request());
        int errors = reply.errors();
        try {
            authority.requireWithin(this, one.known().command(), one.request());
            long from = System.nanoTime();
            try {
                runWithinNow(one);
            } catch (ReplyException e) {
                reply.error(e.line());
            }
            count(one.known(), one.request(), reply.errors() != errors, System.nanoTime() - from);
        } catch (ReplyException e) {
            one.known().rejected().increment();
            reply.error(e.line());
        }
        tellErrors();
        node.monitors().show(this, one.known().command(), one.request());
    }

    private void runWithinNow(Transaction.Queued one) {
        if (one.known().onKeys() != null) {
            database.runWithin(call(one.known(), one.request()));
        } else {
            Objects.requireNonNull(one.known().onSession()).run(this, one.request());
        }
    }

    /** Makes the connection as it was when it began. */
    void reset() {
        transaction.discard();
        pushes.end();
        client.reset();
        authority.restart();
        databaseIndex = 0;
        reply.setVersion(2);
    }
}
