package dev.larder.server.operate;

import dev.larder.server.access.RuleException;
import dev.larder.server.access.User;
import dev.larder.server.access.UserFile;
import dev.larder.server.access.Users;
import dev.larder.server.config.Settings;
import dev.larder.server.session.CommandListener;
import dev.larder.server.session.Node;
import dev.larder.server.session.Session;
import dev.larder.server.session.SessionHandler;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The operation of a server: its parameters, its users, and its reports about itself. */
public final class Operation implements AutoCloseable {

    private final Settings settings;
    private final Optional<Path> file;
    private final Users users = new Users();
    private final Observation observation;
    private final Checkpoints checkpoints;
    private final Figures figures;
    private volatile Runnable stop = () -> {};
    private @Nullable Housekeeping housekeeping;
    private @Nullable HealthServer health;

    /**
     * Creates the operation of a server that does not listen yet.
     *
     * @param settings the values of the parameters
     * @param file the file from which they were read
     * @param data the data of the node
     * @param userRules the words of each line of the file that defines a user: the name, then the rules
     * @throws IllegalArgumentException if the rules of a user make no sense
     */
    public Operation(Settings settings, Optional<Path> file, List<List<String>> userRules, NodeData data) {
        this.settings = settings;
        this.file = file;
        this.observation = new Observation(settings);
        this.checkpoints = new Checkpoints(data);
        this.figures = new Figures(
                settings,
                data,
                observation,
                checkpoints,
                file.map(path -> path.toAbsolutePath().toString()).orElse(""));
        settings.onChange("acl-pubsub-default", value -> users.setAllChannels(value.equals("allchannels")));
        loadUsers(userRules);
        users.listeners(this::onRemoved, this::onChanged);
    }

    private void loadUsers(List<List<String>> userRules) {
        String userFile = settings.text("aclfile");
        if (!userFile.isEmpty() && !userRules.isEmpty()) {
            throw new IllegalArgumentException(
                    "users are defined in " + file.map(Path::toString).orElse("the file") + " and in aclfile "
                            + userFile + ": define them in one of them only");
        }
        if (!settings.text("requirepass").isEmpty()) {
            users.setPassword(settings.text("requirepass"));
        }
        try {
            for (List<String> words : userRules) {
                users.define(
                        words.isEmpty() ? "" : words.getFirst(),
                        words.stream().skip(1).toList());
            }
            if (!userFile.isEmpty()) {
                UserFile.load(Path.of(userFile), users);
            }
        } catch (RuleException e) {
            throw new IllegalArgumentException("users: " + e.getMessage(), e);
        }
        settings.afterChange("requirepass", users::setPassword);
    }

    /** Returns the values of the parameters. */
    public Settings settings() {
        return settings;
    }

    /** Returns the users. */
    public Users users() {
        return users;
    }

    /** Returns the listener for every command. */
    public CommandListener listener() {
        return observation;
    }

    /** Returns the handlers of the commands of operators. */
    public List<Map<String, SessionHandler>> handlers() {
        return List.of(
                new AccessCommands(users, observation.accessLog(), settings).all(),
                new CheckpointCommands(checkpoints).all(),
                new ConfigurationCommands(settings, users, file, this::resetCounts).all(),
                new DebugCommand(figures).all(),
                new Information(figures).handlers(),
                new LatencyCommands(observation.latency()).all(),
                new MemoryCommands(figures).all(),
                new ServerCommands(() -> stop.run(), checkpoints).all(),
                new SlowLogCommands(observation.slowLog()).all());
    }

    /** Takes the state that the sessions share, before the server listens. */
    public void attach(Node node) {
        figures.attach(node);
    }

    /**
     * Starts, once the server listens.
     *
     * @param transport how the server waits for sockets
     * @param port where it listens
     * @param syncSoon syncs everything that was written, later
     * @param stopServer stops the server
     */
    public void start(String transport, int port, Runnable syncSoon, Runnable stopServer) {
        figures.setTransport(transport, port);
        stop = stopServer;
        housekeeping = new Housekeeping(figures, syncSoon);
        if (settings.whole("health-port") > 0) {
            health = new HealthServer(figures, (int) settings.whole("health-port"));
        }
    }

    /** Returns the port on which the server reports its health; empty if it does not. */
    public OptionalInt healthPort() {
        HealthServer running = health;
        return running == null ? OptionalInt.empty() : OptionalInt.of(running.port());
    }

    @Override
    public void close() {
        HealthServer toldBy = health;
        if (toldBy != null) {
            toldBy.close();
        }
        Housekeeping running = housekeeping;
        if (running != null) {
            running.close();
        }
    }

    private void resetCounts() {
        observation.resetCounts();
        figures.resetCounts();
        figures.node().resetCounts();
    }

    /** Closes the connections of a user that listen to channels which the user may not use any more. */
    private void onChanged(User user) {
        if (figures.isAttached()) {
            figures.node().sessions().values().stream()
                    .filter(session -> session.authority().user() == user)
                    .forEach(Session::checkChannelsSoon);
        }
    }

    /** Closes the connections of users that were removed. */
    private void onRemoved(Set<User> removed) {
        if (!figures.isAttached() || removed.isEmpty()) {
            return;
        }
        for (Session session : figures.node().sessions().values()) {
            if (removed.contains(session.authority().user())) {
                session.closeSoon();
            }
        }
    }
}
