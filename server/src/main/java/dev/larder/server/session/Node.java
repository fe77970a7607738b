package dev.larder.server.session;

import dev.larder.resp.RequestLimits;
import dev.larder.server.access.Users;
import dev.larder.server.client.ClientLimits;
import dev.larder.server.client.Traffic;
import dev.larder.server.config.Settings;
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

/** The state that all sessions of a server share. Thread-safe. */
public final class Node {

    /** The version of Redis whose semantics this server has, as clients read it. */
    public static final String VERSION = "7.0.15";

    private final KnownCommands commands;
    private final Users users;
    private final Settings settings;
    private final Admission admission;
    private final CommandListener listener;
    private volatile RequestLimits limits = RequestLimits.defaults();
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
    private final Traffic traffic = new Traffic();
    private volatile boolean lacksReplicas;
    private final LongAdder connections = new LongAdder();
    private final LongAdder closedConnections = new LongAdder();
    private final LongAdder outOfMemory = new LongAdder();

    /**
     * Creates a node.
     *
     * @param handlers handlers of the commands that are not about keys, beside those of sessions
     * @param settings the values of the server's parameters
     * @param users the users
     * @param listener is called for every command
     */
    public Node(List<Map<String, SessionHandler>> handlers, Settings settings, Users users, CommandListener listener) {
        Map<String, SessionHandler> all = new HashMap<>();
        all.putAll(ChannelCommands.all());
        all.putAll(ClientCommands.all());
        all.putAll(ClusterCommands.all());
        all.putAll(ConnectionCommands.all());
        all.putAll(TableCommands.all());
        all.putAll(TrackingCommands.all());
        all.putAll(TransactionCommands.all());
        all.putAll(WaitCommands.all());
        handlers.forEach(all::putAll);
        HelpCommands.addTo(all);
        this.commands = new KnownCommands(all);
        this.settings = settings;
        this.users = users;
        this.listener = listener;
        this.admission = new Admission(settings);
        settings.onChange("proto-max-bulk-len", value -> limits = settings.requestLimits());
        ClientParameters.apply(settings, this);
    }

    /** Returns the commands that this server has. */
    public KnownCommands commands() {
        return commands;
    }

    /** Returns the channels and their subscribers. */
    public Channels channels() {
        return channels;
    }

    /** Returns the events of keys, which go to subscribers. */
    public KeyspaceEvents events() {
        return events;
    }

    /** Returns the table of the clients that keep copies of keys. */
    public Tracking tracking() {
        return tracking;
    }

    /** Returns the listener for all changes of keys. */
    public Changes changes() {
        return changes;
    }

    /** Returns the limits of clients. */
    public ClientLimits clientLimits() {
        return clientLimits;
    }

    /** Returns the pause that makes commands wait. */
    public Pause pause() {
        return pause;
    }

    Monitors monitors() {
        return monitors;
    }

    /** Returns whether there is a user with a name. */
    boolean isUser(String name) {
        return users.find(name) != null;
    }

    private @Nullable Receiver inbox(long client) {
        Session session = sessions.get(client);
        return session == null || session.isClosing() ? null : session.pushes().inbox();
    }

    /** Does the work that is due. Called several times a second, by one thread. */
    public void tick() {
        long now = System.currentTimeMillis();
        pause.tick(now);
        watch.tick(now);
    }

    /** Returns whether writes are refused because they need more replicas than there are. */
    boolean lacksReplicas() {
        return lacksReplicas;
    }

    /** Sets whether writes are refused because they need more replicas than there are. */
    public void setLacksReplicas(boolean now) {
        lacksReplicas = now;
    }

    /** Returns how large requests may be. */
    public RequestLimits limits() {
        return limits;
    }

    /** Returns how many databases there are. */
    public int databases() {
        return (int) settings.whole("databases");
    }

    /** Returns the values of the server's parameters. */
    public Settings settings() {
        return settings;
    }

    /** Returns the users. */
    public Users users() {
        return users;
    }

    /** Returns the rules by which connections are accepted. */
    public Admission admission() {
        return admission;
    }

    /** Returns the listener for every command. */
    public CommandListener listener() {
        return listener;
    }

    /** Returns when the node was started, in milliseconds since 1970. */
    public long startedMillis() {
        return startedMillis;
    }

    /** Returns the open sessions by their numbers, in the order in which they came. */
    public Map<Long, Session> sessions() {
        return sessions;
    }

    /** Returns the bytes that were read and written. */
    public Traffic traffic() {
        return traffic;
    }

    /** Returns how many connections were made. */
    public long connections() {
        return connections.sum();
    }

    /** Returns how many connections were closed. */
    public long closedConnections() {
        return closedConnections.sum();
    }

    /** Returns how many commands were refused because too much memory was used. */
    public long outOfMemory() {
        return outOfMemory.sum();
    }

    void countOutOfMemory() {
        outOfMemory.increment();
    }

    /** Sets the counts of connections and commands to 0. */
    public void resetCounts() {
        closedConnections.reset();
        outOfMemory.reset();
        connections.reset();
        admission.resetCounts();
        traffic.resetCounts();
        commands.allKnown().forEach(KnownCommand::resetCounts);
    }

    long nextId() {
        return lastId.incrementAndGet();
    }

    void add(Session session) {
        connections.increment();
        sessions.put(session.id(), session);
    }

    void remove(Session session) {
        if (sessions.remove(session.id()) != null) {
            closedConnections.increment();
        }
    }
}
