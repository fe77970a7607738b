package dev.larder.server.session;

import dev.larder.resp.RequestLimits;
import dev.larder.server.push.Changes;
import dev.larder.server.push.Channels;
import dev.larder.server.push.KeyspaceEvents;
import dev.larder.server.push.Receiver;
import dev.larder.server.push.Tracking;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What all sessions of a server share. Thread-safe. */
public final class Node {

    private final KnownCommands commands;
    private final RequestLimits limits;
    private final int databases;
    private final long startedMillis = System.currentTimeMillis();
    private final AtomicLong lastId = new AtomicLong();
    private final Map<Long, Session> sessions = new ConcurrentSkipListMap<>();
    private final Channels channels = new Channels();
    private final KeyspaceEvents events = new KeyspaceEvents(channels);
    private final Tracking tracking = new Tracking(this::inbox);
    private final Changes changes = new Changes(events, tracking);
    private final Monitors monitors = new Monitors();
    private final Pause pause = new Pause();
    private final ClientLimits clientLimits = new ClientLimits();
    private final ClientWatch watch = new ClientWatch(sessions, clientLimits);
    private final LongAdder connections = new LongAdder();

    /**
     * A node.
     *
     * @param handlers handlers of the commands that are not about keys, beside those of sessions
     * @param limits how large requests may be
     * @param databases how many databases there are
     */
    public Node(List<Map<String, SessionHandler>> handlers, RequestLimits limits, int databases) {
        Map<String, SessionHandler> all = new HashMap<>();
        all.putAll(ChannelCommands.all());
        all.putAll(ClientCommands.all());
        all.putAll(ConnectionCommands.all());
        all.putAll(TableCommands.all());
        all.putAll(TrackingCommands.all());
        all.putAll(TransactionCommands.all());
        all.putAll(WaitCommands.all());
        handlers.forEach(all::putAll);
        this.commands = new KnownCommands(all);
        this.limits = limits;
        this.databases = databases;
    }

    /** Returns the commands that this server has. */
    public KnownCommands commands() {
        return commands;
    }

    /** Returns the channels and who has subscribed to them. */
    public Channels channels() {
        return channels;
    }

    /** Returns the events of keys that subscribers are told. */
    public KeyspaceEvents events() {
        return events;
    }

    /** Returns which clients keep copies of which keys. */
    public Tracking tracking() {
        return tracking;
    }

    /** Returns who hears of all changes of keys. */
    public Changes changes() {
        return changes;
    }

    /** Returns what clients may take. */
    public ClientLimits clientLimits() {
        return clientLimits;
    }

    /** Returns what has commands wait. */
    public Pause pause() {
        return pause;
    }

    Monitors monitors() {
        return monitors;
    }

    /** Returns whether there is a user of a name. */
    boolean isUser(String name) {
        return name.equals("default");
    }

    private @Nullable Receiver inbox(long client) {
        Session session = sessions.get(client);
        return session == null || session.isClosing() ? null : session.pushes().inbox();
    }

    /** Does what is due. Called several times a second, by one thread. */
    public void tick() {
        long now = System.currentTimeMillis();
        pause.tick(now);
        watch.tick(now);
    }

    /** Returns how large requests may be. */
    public RequestLimits limits() {
        return limits;
    }

    /** Returns how many databases there are. */
    public int databases() {
        return databases;
    }

    /** Returns when the node was started, in milliseconds since 1970. */
    public long startedMillis() {
        return startedMillis;
    }

    /** Returns the open sessions by their numbers, in the order in which they came. */
    public Map<Long, Session> sessions() {
        return sessions;
    }

    /** Returns how many connections were made. */
    public long connections() {
        return connections.sum();
    }

    long nextId() {
        return lastId.incrementAndGet();
    }

    void add(Session session) {
        connections.increment();
        sessions.put(session.id(), session);
    }

    void remove(Session session) {
        sessions.remove(session.id());
    }
}
