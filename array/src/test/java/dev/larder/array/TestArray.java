package dev.larder.array;

import static org.awaitility.Awaitility.await;

import dev.larder.array.node.Stripes;
import dev.larder.array.ratis.MemberStates;
import dev.larder.array.ratis.RaftNode;
import dev.larder.array.slots.StripeMembers;
import dev.larder.array.slots.StripeSlots;
import dev.larder.server.Configuration;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeySlot;
import dev.larder.tests.support.FreePorts;
import dev.larder.tests.support.OtherThread;
import dev.larder.tests.support.SelfSignedCertificate;
import java.lang.invoke.MethodHandles;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionTimeoutException;

/** Three nodes of an array in one JVM, on loopback. */
final class TestArray implements AutoCloseable {

    static final int NODES = 3;

    static final int STRIPES = 4;

    private static final UUID ARRAY = new UUID(9, 9);

    /** With this property, all tests of arrays run once more, with large values that are written once. */
    private static final boolean VALUES_ONCE = Boolean.getBoolean("larder.test.values-once");

    private static final long SEGMENT_BYTES = 4 << 20;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path directory;
    private final CatchUp catchUp;
    private final boolean valuesOnce;
    private final int witnesses;
    private final Map<Integer, NodeAddresses> addresses = new HashMap<>();
    private final Map<Integer, ArrayNode> nodes = new ConcurrentSkipListMap<>();

    /** The certificate of all nodes, for clients that speak TLS. */
    private Optional<SelfSignedCertificate> certificate = Optional.empty();

    TestArray(Path directory) {
        this(directory, NODES);
    }

    /** A number of nodes, the first three of which make the array. */
    TestArray(Path directory, int count) {
        this(directory, count, CatchUp.defaults());
    }

    /** The same, with other options for members that come back. */
    TestArray(Path directory, int count, CatchUp catchUp) {
        this(directory, count, catchUp, VALUES_ONCE);
    }

    /** The same, whose large values may be written once. */
    TestArray(Path directory, int count, CatchUp catchUp, boolean valuesOnce) {
        this(directory, FreePorts.take(3 * count), catchUp, valuesOnce, 0);
        begin();
    }

    private TestArray(
            Path directory, List<InetSocketAddress> free, CatchUp catchUp, boolean valuesOnce, int witnesses) {
        this.witnesses = witnesses;
        this.directory = directory;
        this.catchUp = catchUp;
        this.valuesOnce = valuesOnce;
        for (int node = 0; node < free.size() / 3; node++) {
            addresses.put(node, new NodeAddresses(free.get(3 * node), free.get(3 * node + 1), free.get(3 * node + 2)));
        }
    }

    private void begin() {
        try {
            for (int node = 0; node < NODES; node++) {
                ArrayNode.create(options(node));
                start(node);
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Returns an array whose stripes have two mirrors and a witness, which is the last member. */
    static TestArray withWitnesses(Path directory, int count, CatchUp catchUp) {
        TestArray array = new TestArray(directory, FreePorts.take(3 * count), catchUp, false, 1);
        array.begin();
        return array;
    }

    /** Returns an array in which some nodes listen for clients that speak TLS as well. */
    static TestArray withTlsPorts(Path directory, SelfSignedCertificate certificate, Set<Integer> some) {
        TestArray array = new TestArray(directory, FreePorts.take(3 * NODES), CatchUp.defaults(), VALUES_ONCE, 0);
        array.certificate = Optional.of(certificate);
        some.forEach(node ->
                array.addresses.put(node, array.addresses(node).withTlsPort(OptionalInt.of(FreePorts.takeOne()))));
        array.begin();
        return array;
    }

    /** Returns an array whose nodes listen only for clients that speak TLS. */
    static TestArray withTlsOnly(Path directory, SelfSignedCertificate certificate) {
        TestArray array = new TestArray(directory, FreePorts.take(3 * NODES), CatchUp.defaults(), VALUES_ONCE, 0);
        array.certificate = Optional.of(certificate);
        array.addresses.replaceAll((node, addresses) ->
                addresses.withTlsPort(OptionalInt.of(FreePorts.takeOne())).withTlsOnly());
        array.begin();
        return array;
    }

    /** Returns an array in which one node is made, and none runs. */
    static TestArray made(Path directory, int node) {
        TestArray array = new TestArray(directory, FreePorts.take(3 * NODES), CatchUp.defaults(), VALUES_ONCE, 0);
        ArrayNode.create(array.options(node));
        return array;
    }

    /** Returns the options of a node. */
    ArrayOptions options(int node) {
        Map<Integer, NodeAddresses> known = new HashMap<>(addresses);
        known.keySet().removeIf(other -> other >= NODES && other != node); // the array's record names those nodes
        return options(directory.resolve("node" + node), node, known, catchUp)
                .withValuesOnce(valuesOnce)
                .withStripes(STRIPES, NODES - witnesses, witnesses);
    }

    /** Returns the options of a node of such an array, in any process. */
    static ArrayOptions options(Path folder, int node, Map<Integer, NodeAddresses> known, CatchUp catchUp) {
        return ArrayOptions.of(ARRAY, node, known, folder)
                .withFounders(new TreeSet<>(List.of(0, 1, 2)))
                .withStripes(STRIPES, NODES)
                .withSegmentBytes(SEGMENT_BYTES)
                .withCatchUp(catchUp)
                .withValuesOnce(VALUES_ONCE)
                .withElection(Duration.ofMillis(3500), Duration.ofMillis(5000));
    }

    /** Makes and starts a node that is not one of the first three. */
    void add(int node) {
        ArrayNode.create(options(node));
        start(node);
    }

    /** Returns where a node listens. */
    NodeAddresses addresses(int node) {
        return Objects.requireNonNull(addresses.get(node));
    }

    /** Returns the Raft server of a running node. */
    RaftNode raft(int node) throws ReflectiveOperationException {
        return (RaftNode) field(node, "raft", RaftNode.class);
    }

    /** Returns the stripes as a running node sees them. */
    Stripes stripes(int node) throws ReflectiveOperationException {
        return (Stripes) field(node, "stripes", Stripes.class);
    }

    private Object field(int node, String name, Class<?> type) throws ReflectiveOperationException {
        return MethodHandles.privateLookupIn(ArrayNode.class, MethodHandles.lookup())
                .findVarHandle(ArrayNode.class, name, type)
                .get(node(node));
    }

    /** Returns a running node. */
    ArrayNode node(int node) {
        return Objects.requireNonNull(nodes.get(node));
    }

    /** Returns the numbers of the running nodes. */
    Set<Integer> running() {
        return Set.copyOf(nodes.keySet());
    }

    void start(int node) {
        Configuration configuration = Configuration.defaults()
                .with("port", Integer.toString(port(node)))
                .with("dir", directory.resolve("unused" + node).toString());
        if (certificate.isPresent()) {
            configuration = configuration
                    .with("tls-cert-file", certificate.get().certificate().toString())
                    .with("tls-key-file", certificate.get().key().toString())
                    .with("tls-auth-clients", "no");
        }
        nodes.put(node, ArrayNode.start(options(node), configuration));
    }

    void stop(int node) {
        ArrayNode stopped = nodes.remove(node);
        if (stopped != null) {
            stopped.close();
        }
    }

    String address(int node) {
        return "127.0.0.1:" + port(node);
    }

    /** Returns the port of a node for clients. */
    int port(int node) {
        return Objects.requireNonNull(addresses.get(node)).clients().getPort();
    }

    /** Returns the port of a node for clients that speak TLS. */
    int tlsPort(int node) {
        return addresses(node).tlsPort().orElseThrow();
    }

    RespClient client(int node) {
        return new RespClient(port(node));
    }

    /** Returns whether all nodes have applied the same entries of all stripes. */
    boolean isEqual() {
        return IntStream.range(0, STRIPES)
                .allMatch(stripe -> nodes.values().stream()
                                .map(node -> node.appliedIndex(stripe))
                                .distinct()
                                .count()
                        == 1);
    }

    /** Returns whether some nodes have applied the same entries of a stripe. */
    boolean isEqual(int stripe, List<Integer> some) {
        return some.stream()
                        .map(node -> node(node).appliedIndex(stripe))
                        .distinct()
                        .count()
                == 1;
    }

    /** Returns the stripe of a key. */
    static int stripe(String key) {
        return new StripeSlots(STRIPES).stripeOf(KeySlot.of(Bytes.of(key)));
    }

    /** Returns the number of the node that serves a key. */
    int leader(String key) {
        return await().atMost(PATIENCE).until(() -> serving(key), node -> node >= 0);
    }

    private int serving(String key) {
        for (int node : nodes.keySet()) {
            if (Objects.requireNonNull(nodes.get(node)).isLeading(stripe(key))) {
                try (RespClient client = client(node)) {
                    if (client.call("EXISTS " + key).length() == 1) {
                        return node;
                    }
                }
            }
        }
        return -1;
    }

    /** Returns whether a node other than {@code node} leads the stripe of a key. */
    boolean isLedBesides(int node, String key) {
        return nodes.entrySet().stream()
                .anyMatch(other -> other.getKey() != node && other.getValue().isLeading(stripe(key)));
    }

    /** Waits until each stripe is led by the node that is to lead it. */
    void awaitLeaders() {
        try {
            await().atMost(PATIENCE)
                    .until(() -> IntStream.range(0, STRIPES)
                            .allMatch(stripe -> Objects.requireNonNull(nodes.get(stripe % NODES))
                                    .isLeading(stripe)));
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("some stripe is not led by the node that is to lead it:" + states(), e);
        }
    }

    private String states() {
        StringBuilder states = new StringBuilder();
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            for (ArrayNode node : nodes.values()) {
                states.append("\nstripe ").append(stripe).append(": ");
                try {
                    states.append(MemberStates.of(raft(node), StripeMembers.id(ARRAY, stripe)));
                } catch (RuntimeException e) {
                    states.append(e);
                }
            }
        }
        return states.toString();
    }

    /** Returns the Raft part of a node. */
    private static RaftNode raft(ArrayNode node) {
        try {
            return (RaftNode) MethodHandles.privateLookupIn(ArrayNode.class, MethodHandles.lookup())
                    .findVarHandle(ArrayNode.class, "raft", RaftNode.class)
                    .get(node);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the node has no such field", e);
        }
    }

    /**
     * Restores the first state: starts the nodes that a test has stopped. Waits until each node leads its stripes and has all
     * entries.
     */
    void restore() {
        for (int node = 0; node < NODES; node++) {
            if (!nodes.containsKey(node)) {
                start(node);
            }
        }
        awaitLeaders();
        await().atMost(PATIENCE).until(this::isEqual);
    }

    /** Stops all nodes together: one by one, each would wait for a new leader that is gone soon. */
    @Override
    public void close() {
        CompletableFuture.allOf(nodes.keySet().stream()
                        .map(node -> OtherThread.run(() -> stop(node)))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
    }
}
