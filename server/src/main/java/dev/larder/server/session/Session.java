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
 * A client's connection: it takes the client's requests in their order, and writes a reply for each. Used by one loop.
 *
 * <pre>
 * bytes -> parser -> request -> runner -> reply
 * end of a turn: replies are sent, after a commit if one of them needs it
 * </pre>
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
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

    /** How many bytes the client had read at the last check for idle clients. */
    private long sentBytesSeen;

    /** Whether the replies of this turn may go only after a commit. */
    private boolean uncommitted;

    /** The size of the running request in bytes; 0 between requests. */
    private int requestBytes;

    /** Whether a commit is under way. Meanwhile nothing is run except a command that waits already. */
    private boolean committing;

    /** Whether the client is to be closed when its replies are sent; nothing more is run. */
    private volatile boolean closing;

    /** Creates a session on a link. Its commands on keys run on a database of the link's loop. */
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

    /** Returns the number of the session, which no other session has. */
    public long id() {
        return id;
    }

    /** Returns the state that all sessions share. */
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

    /** Returns the pushes to the client. */
    Pushes pushes() {
        return pushes;
    }

    /** Returns the name of the client's user. */
    String user() {
        return authority.user().name();
    }

    /** Returns whether the client waits for an action of other clients. Any thread may call this. */
    public boolean isBlocked() {
        return halt.isHeld() || blocking.isOn() || runner.isTimed();
    }

    /** Returns what keeps the session from its next request. */
    Halt halt() {
        return halt;
    }

    /** Returns the session's use of memory. */
    Usage usage() {
        return usage;
    }

    boolean isClosing() {
        return closing;
    }

    /** Ends the wait of a blocked command, as its timeout would or with an error; returns whether the client waited. */
    boolean unblock(boolean withError) {
        return blocking.unblock(withError)
                || runner.endDelay(withError ? new ReplyException(Blocking.UNBLOCKED) : null);
    }

    /** Returns how many bytes of requests wait here, the running request included. */
    long queryBytes() {
        return requestBytes + link.queryBytes();
    }

    /** Returns how many bytes the places of the last request's arguments take. Another thread may see an earlier number. */
    long argumentBytes() {
        return 2L * Integer.BYTES * request.count();
    }

    Transaction transaction() {
        return transaction;
    }

    /** Returns what runs the commands. */
    CommandRunner runner() {
        return runner;
    }

    /** Returns the wait of a command for keys to change. */
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

    /** Returns the name that the client has given itself; empty if none. Any thread may call this. */
    public String name() {
        return client.name();
    }

    void setName(String text) {
        client.name(text);
    }

    /** Returns the name of the last command. Any thread may call this. */
    public String lastCommand() {
        return lastCommand;
    }

    /** Returns when the connection was used last, in milliseconds since 1970. Any thread may call this. */
    public long lastMillis() {
        return lastMillis;
    }

    /** Returns when the connection was made, in milliseconds since 1970. Any thread may call this. */
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

    /** Returns whether replies are about to go. A command that waits for a time does not count: it may take long. */
    public boolean isAnswering() {
        return committing || closing || runner.isPreparing();
    }

    /** Returns whether the client waits for keys to change. Any thread may call this. */
    public boolean waitsForKeys() {
        return blocking.isOn();
    }

    /** Returns the session's position in its client's input. */
    InputPosition input() {
        return input;
    }

    /** Records that the client uses the connection: it sends something, is served, or reads what it is sent. */
    public void noteUse() {
        lastMillis = System.currentTimeMillis();
    }

    /**
     * Closes the connection if the client has not used it since a time, and waits for nothing. Reading a part of a long reply
     * meanwhile is a use.
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

    /** Takes requests from a buffer, and moves its position behind the complete ones. */
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

    /** Returns how many more bytes an incomplete request needs at least. */
    public long missingBytes(ByteBuffer in) {
        return parser.missingBytes(in);
    }

    /** The session's position in its input. */
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

    /** Sends the pushes that have come. */
    private void deliver() {
        if (!closing && !halt.isKilled()) {
            writePushes();
            endTurn();
        }
    }

    /** Writes the pushes that have come, except within the array of a transaction's replies. */
    void writePushes() {
        if (!runner.isExecuting()) {
            pushes.write();
        }
    }

    /** Closes the connection, in its own thread, if it listens to a channel to which its user has no right. For any thread. */
    public void checkChannelsSoon() {
        link.execute(() -> {
            if (!authority.allowsAll(pushes.subscriptions())) {
                close();
                endTurn();
            }
        });
    }

    /** Closes the connection after the replies that are written, in its own thread. Any thread may call this. */
    public void closeSoon() {
        link.execute(() -> {
            close();
            endTurn();
        });
    }

    /** Ends a turn of the loop: sends the replies, or keeps them until a commit. */
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
        if (error != null) { // the replies are not true: better no reply
            LOGGER.log(
                    System.Logger.Level.ERROR,
                    "the server closes client " + id + ", since its writes may be lost: " + error,
                    error);
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

    /** Makes the replies of this turn wait for a commit, if one of them needs it. */
    void requireCommit(boolean needed) {
        uncommitted |= needed;
    }

    /** Restores the state of a new connection. What has come for the former one is sent before. */
    void reset() {
        writePushes();
        transaction.discard();
        pushes.end();
        client.reset();
        database.reset();
        authority.restart();
        databaseIndex = 0;
        reply.setVersion(2);
    }
}
