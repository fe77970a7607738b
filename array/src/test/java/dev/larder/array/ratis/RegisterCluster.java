package dev.larder.array.ratis;

import static org.awaitility.Awaitility.await;

import dev.larder.array.MemberName;
import dev.larder.tests.support.FreePorts;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.statemachine.impl.BaseStateMachine;

/** Three nodes in one JVM, on loopback. */
final class RegisterCluster implements AutoCloseable {

    static final int NODES = 3;

    private final Path directory;
    private final Consumer<RaftProperties> settings;
    private final List<InetSocketAddress> raftAddresses;
    private final List<InetSocketAddress> linkAddresses;
    private final Map<Integer, RegisterNode> nodes = new TreeMap<>();

    RegisterCluster(Path directory, Consumer<RaftProperties> settings) {
        this.directory = directory;
        this.settings = settings;
        List<InetSocketAddress> addresses = FreePorts.take(2 * NODES);
        raftAddresses = addresses.subList(0, NODES);
        linkAddresses = addresses.subList(NODES, 2 * NODES);
        try {
            for (int node = 0; node < NODES; node++) {
                open(node, true);
            }
            nodes.values().forEach(RegisterNode::start);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Opens a node that is closed. It does not run yet. */
    RegisterNode open(int node) {
        return open(node, false);
    }

    private RegisterNode open(int node, boolean isNew) {
        RegisterNode made = new RegisterNode(node, directory, raftAddresses, linkAddresses, isNew, settings);
        nodes.put(node, made);
        return made;
    }

    /** Returns a server of Ratis on the files of a node that is closed. */
    RaftServer madeButNotStarted(int node) throws IOException {
        RaftProperties properties = new RaftProperties();
        RaftServerConfigKeys.setStorageDir(
                properties, List.of(directory.resolve("raft" + node).toFile()));
        return RaftServer.newBuilder()
                .setServerId(RaftNode.id(new MemberName(node, 0)))
                .setProperties(properties)
                .setStateMachineRegistry(group -> new BaseStateMachine())
                .build();
    }

    RegisterNode node(int node) {
        return Objects.requireNonNull(nodes.get(node));
    }

    /** Closes a node; its files stay. */
    void close(int node) {
        RegisterNode closed = nodes.remove(node);
        if (closed != null) {
            closed.close();
        }
    }

    /** Returns the folder of a node's log. */
    Path logFolder(int node) {
        return directory
                .resolve("raft" + node)
                .resolve(RegisterNode.STRIPE.toString())
                .resolve("current");
    }

    /** Closes all nodes but one, together. */
    void closeOthers(int node) {
        List<RegisterNode> others = new ArrayList<>();
        for (int other = 0; other < NODES; other++) {
            RegisterNode removed = other == node ? null : nodes.remove(other);
            if (removed != null) {
                others.add(removed);
            }
        }
        CompletableFuture.allOf(others.stream()
                        .map(other -> OtherThread.run(other::close))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
    }

    /** Returns the number of the node that leads, once there is one and its barrier lets reads go. */
    int leader() {
        return await().atMost(Duration.ofSeconds(30))
                .until(
                        () -> nodes.keySet().stream()
                                .filter(node -> node(node).isReady()
                                        && node(node).read().isPresent())
                                .findFirst()
                                .orElse(-1),
                        node -> node >= 0);
    }

    @Override
    public void close() {
        List.copyOf(nodes.keySet()).forEach(this::close);
    }
}
