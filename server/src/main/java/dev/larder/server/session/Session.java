package dev.larder.server.session;

import dev.larder.resp.ProtocolException;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.resp.RequestParser;
import dev.larder.server.client.Link;
import dev.larder.server.client.SessionOutput;
import dev.larder.server.command.Database;
import dev.larder.server.command.InputPosition;
import dev.larder.server.command.LoopDatabase;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection: takes its requests in their order, and writes a reply for each. Of one loop.
 *
 * <pre>
 * bytes -> parser -> request -> runner -> reply
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
    private final Input input = new Input();
    private final Request request = new Request();
    private final RequestParser parser;
    private final SessionOutput output;
    private final ReplyEncoder reply;
    private final Transaction transaction = new Transaction();
    private final ClientState client;
    private final Pushes pushes;
    private final Halt halt;
    private final Usage usage;

    private final Blocking blocking = new Blocking(this);

    private final CommandRunner runner;

    private final Authority authority;

    private int databaseIndex;
    private volatile String lastCommand = "";
    private volatile long lastMillis = createdMillis;

    /** How much the client had taken when it was looked at for being idle. */
    private long sentBytesSeen;

    /** The replies of this turn may go only after a commit. */
    private boolean uncommitted;

    /** How many bytes the request has that is run; 0 between requests. */
    private int requestBytes;

    /** A commit is under way. Meanwhile nothing is run but a command that waits already. */
    private boolean committing;

    /** The client is to be closed when its replies are sent; nothing is run any more. */
    private volatile boolean closing;

    /** A session on a link, whose commands on keys run on a database of the link's loop. */
    public Session(Node node, Link link, LoopDatabase database) {
        this.node = node;
        this.link = link;
        this.database = database.forSession(input, link.isEncrypted());
        this.id = node.nextId();
        this.parser = new RequestParser(node.limits());
        this.output = new SessionOutput(link.output());
        this.reply = new ReplyEncoder(output);
        this.client = new ClientState(output);
        this.halt = new Halt(this, node.pause());
        this.usage = new Usage(this);
        this.pushes = new Pushes(this, output, this::deliver);
        link.keepAlive(node.clientLimits().keepAliveSeconds());
        this.authority = new Authority(node, parser);
        this.runner = new CommandRunner(this);
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
        return halt.isHeld() || blocking.isOn() || runner.isTimed();
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
        return blocking.unblock(withError)
                || runner.endDelay(withError ? new ReplyException(Blocking.UNBLOCKED) : null);
    }

    /** Returns how many bytes of requests are here that are not run yet, the one that runs included. */
    long queryBytes() {
        return requestBytes + link.queryBytes();
    }

    Transaction transaction() {
        return transaction;
    }

    /** Returns what runs the commands. */
    CommandRunner runner() {
        return runner;
    }

    /** Returns what a command waits with for keys to change. */
    Blocking blocking() {
        return blocking;
    }

    void setLastCommand(String name) {
        lastCommand = name;
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

    /** Returns when the connection was used last, in milliseconds since 1970. Any thread. */
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
        return committing || closing || halt.isOn() || blocking.isOn() || runner.isWaiting();
    }

    /** Returns whether nothing but a commit, or what a command waits for, keeps the session from its next request. */
    public boolean waitsShortly() {
        boolean prepares = runner.isPreparing();
        return (committing || prepares) && !closing && !halt.isOn() && (prepares || !runner.isWaiting());
    }

    /** Returns whether replies are about to go. The reply of a command that waits for a time is not: it may take long. */
    public boolean isAnswering() {
        return committing || closing || runner.isPreparing();
    }

    /** Returns whether the client waits for keys to change. Any thread. */
    public boolean waitsForKeys() {
        return blocking.isOn();
    }

    /** Returns how far the session has come in what its client sends. */
    InputPosition input() {
        return input;
    }

    /** Notes that the client uses the connection: it sends something, is served, or takes what it is sent. */
    public void noteUse() {
        lastMillis = System.currentTimeMillis();
    }

    /**
     * Closes the connection if the client has not used it since a time, and waits for nothing. A part of a long reply that it
     * took meanwhile is a use.
     */
    void closeIfIdle(long sinceMillis, String reason) {
        boolean waits = isBlocked() || committing || runner.isPreparing();
        if (waits || lastMillis >= sinceMillis) {
            return;
        }
        long sent = link.sentBytes();
        boolean takes = link.pendingBytes() > 0 && sent != sentBytesSeen;
        sentBytesSeen = sent;
        if (takes) {
            noteUse();
        } else {
            halt.close(reason);
        }
    }

    /** Takes requests from a buffer, whose position goes behind those that are whole. */
    public void process(ByteBuffer in) {
        input.received = Math.max(input.received, input.end + in.remaining());
        try {
            int from = in.position();
            while (!isPaused() && parser.parse(in, request)) {
                requestBytes = in.position() - from;
                input.end += requestBytes;
                if (request.count() > 0) {
                    noteUse();
                    runner.run(request, in);
                }
                if (halt.isHeld()) {
                    in.position(from); // it is taken again later
                    input.end -= requestBytes;
                }
                from = in.position();
            }
            requestBytes = 0;
            runner.arrived(in);
        } catch (ProtocolException e) {
            reply.error(e.reply());
            close();
        }
    }

    /** Returns how many bytes more the request needs at least that has begun. */
    public long missingBytes(ByteBuffer in) {
        return parser.missingBytes(in);
    }

    /** How far the session has come. */
    private static final class Input implements InputPosition {

        private long end;
        private long received;

        @Override
        public long end() {
            return end;
        }

        @Override
        public long received() {
            return received;
        }
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
        if (!runner.isExecuting()) {
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
            commit();
        } else if (!committing) {
            send();
        }
    }

    private void commit() {
        uncommitted = false;
        committing = true;
        database.commit(error -> link.execute(() -> committed(error)));
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
        if (uncommitted) { // a command that had waited has written its reply meanwhile
            commit();
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
        runner.end();
        transaction.discard();
        pushes.end();
        node.remove(this);
        halt.end();
    }

    /** Has the replies of this turn go only after a commit, if one of them needs it. */
    void requireCommit(boolean needed) {
        uncommitted |= needed;
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
