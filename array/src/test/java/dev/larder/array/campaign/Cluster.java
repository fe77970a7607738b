package dev.larder.array.campaign;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of an array, each a process: the first ones, and those that have joined. One thread at a time starts and ends them.
 */
final class Cluster implements AutoCloseable {

    private final Path directory;
    private final Network network;
    private final int founders;
    private final int witnesses;
    private final SortedSet<Integer> nodes = new ConcurrentSkipListSet<>();
    private final String classPath;
    private final Map<Integer, NodeProcess> running = new ConcurrentSkipListMap<>();

    /**
     * Makes the folders of new nodes, and starts all.
     *
     * @param founders how many nodes make the array: 0 and so on
     * @param witnesses how many of a stripe's three members keep no store
     * @param planted a folder of classes that stand ahead of the project's; null: none
     */
    Cluster(Path directory, Network network, int founders, int witnesses, @Nullable Path planted) {
        this.directory = directory;
        this.network = network;
        this.founders = founders;
        this.witnesses = witnesses;
        String ours = System.getProperty("java.class.path");
        this.classPath = planted == null ? ours : planted + File.pathSeparator + ours;
        try {
            IntStream.range(0, founders).forEach(this::create);
            startAll();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Returns the numbers of the nodes, without lost ones. */
    List<Integer> nodes() {
        return List.copyOf(nodes);
    }

    /** Makes and starts a node that the array knows, and that joins it. */
    void join(int node) {
        create(node);
        start(node);
    }

    /** Kills a node, which does not come back. */
    void lose(int node) {
        kill(node);
        nodes.remove(node);
    }

    int witnesses() {
        return witnesses;
    }

    Network network() {
        return network;
    }

    Path folder(int node) {
        return directory.resolve("node" + node);
    }

    private Path log(int node) {
        return directory.resolve("node" + node + ".log");
    }

    private List<String> arguments(int node, String command) {
        List<String> arguments = new ArrayList<>(List.of(
                command,
                folder(node).toString(),
                Integer.toString(node),
                Integer.toString(founders),
                Integer.toString(witnesses)));
        for (int one = 0; one < founders; one++) {
            arguments.add(one + "=" + network.addresses(one));
        }
        if (node >= founders) {
            arguments.add(node + "=" + network.addresses(node));
        }
        return arguments;
    }

    private NodeProcess process(int node) {
        return process(node, arguments(node, "start"));
    }

    private NodeProcess process(int node, List<String> arguments) {
        return new NodeProcess(network.prefix(node), classPath, log(node), arguments);
    }

    /** Makes the folder of a node that has none, like an operator who takes a node with a lost disk for a new one. */
    void create(int node) {
        nodes.add(node);
        if (network.hidesFiles(node)) {
            process(node, arguments(node, "create")).line();
            return;
        }
        try {
            NodeProgram.main(arguments(node, "create").toArray(String[]::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a node and waits until it serves; returns whether it does. */
    boolean tryStart(int node) {
        NodeProcess process = process(node);
        if (process.serves()) {
            running.put(node, process);
            return true;
        }
        process.close();
        return false;
    }

    void start(int node) {
        if (!tryStart(node)) {
            throw new IllegalStateException("node " + node + " does not start: " + logged(node));
        }
    }

    /** Starts all nodes that do not run, together. */
    void startAll() {
        Map<Integer, NodeProcess> started = new TreeMap<>();
        for (int node : nodes) {
            NodeProcess before = running.get(node);
            if (before == null) {
                started.put(node, process(node));
            } else {
                requireAlive(node, before);
            }
        }
        started.forEach((node, process) -> {
            if (!process.serves()) {
                process.close();
                throw new IllegalStateException("node " + node + " does not start: " + logged(node));
            }
            running.put(node, process);
        });
    }

    /** Returns the text that a node has written to its standard error. */
    String logged(int node) {
        try {
            return Files.readString(log(node));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean runs(int node) {
        NodeProcess process = running.get(node);
        return process != null && process.isAlive();
    }

    void kill(int node) {
        NodeProcess process = running.remove(node);
        if (process != null) {
            requireAlive(node, process);
            process.kill();
        }
    }

    /** Nodes end only when they are killed or told to: one that ends by itself is a fault that a restart would hide. */
    private void requireAlive(int node, NodeProcess process) {
        if (!process.isAlive()) {
            throw new AssertionError("node " + node + " has ended by itself: " + logged(node));
        }
    }

    void killAll() {
        running.forEach(this::requireAlive);
        List<NodeProcess> all = List.copyOf(running.values());
        running.clear();
        all.forEach(NodeProcess::kill);
    }

    /** Stops all nodes in order. */
    void endAll() {
        running.forEach(this::requireAlive);
        List<NodeProcess> all = List.copyOf(running.values());
        running.clear();
        all.forEach(NodeProcess::beginEnd); // one by one, each would wait for a leader that is gone soon
        all.forEach(NodeProcess::await);
    }

    /** Pauses a node, as by {@code SIGSTOP}. {@link #resume} continues it. */
    void pause(int node) {
        NodeProcess process = running.get(node);
        if (process != null) {
            process.signal("STOP");
        }
    }

    void resume(int node) {
        NodeProcess process = running.get(node);
        if (process != null) {
            process.signal("CONT");
        }
    }

    /** Returns the last applied entry of each member of a stripe, by node. Nodes that do not run are left out. */
    SortedMap<Integer, Long> applied(int stripe) {
        SortedMap<Integer, Long> applied = new TreeMap<>();
        running.forEach((node, process) -> {
            String[] indexes = process.ask("applied").split(",", -1);
            if (indexes.length > stripe && !indexes[stripe].equals("-1")) {
                applied.put(node, Long.valueOf(indexes[stripe]));
            }
        });
        return applied;
    }

    /** Sets a node's clock, which must be a planted one. Nothing happens if the node does not run, or is stopped just then. */
    void step(int node, long aheadMillis) {
        NodeProcess process = running.get(node);
        if (process != null) {
            process.ask("clock " + aheadMillis);
        }
    }

    /** Returns which Ratis threads of a node wait for a lock, and which hold it. A node that is stopped must not be asked. */
    String blocked(int node) {
        NodeProcess process = running.get(node);
        return process == null ? "" : process.blocked();
    }

    /** Returns the node that claims to lead the first stripe; -1 if none does. A node that is stopped must not be asked. */
    int leader() {
        return running.keySet().stream().filter(this::leads).findFirst().orElse(-1);
    }

    /** Returns whether a node claims to lead the first stripe. Two may do so, if one was replaced and does not know it. */
    boolean leads(int node) {
        NodeProcess process = running.get(node);
        return process != null && process.ask("leads").equals("true");
    }

    /** Returns the content of a stripe's store on a stopped node; empty if the node's member is a witness. */
    Optional<Map<String, String>> content(int node, int stripe) {
        Map<String, String> content = read(node, stripe);
        return content.containsKey(NodeProgram.NO_STORE) ? Optional.empty() : Optional.of(content);
    }

    private Map<String, String> read(int node, int stripe) {
        if (!network.hidesFiles(node)) {
            return NodeProgram.content(folder(node), stripe);
        }
        Map<String, String> content = new TreeMap<>();
        NodeProcess reader = process(node, List.of("content", folder(node).toString(), Integer.toString(stripe)));
        for (String line = reader.line(); line != null; line = reader.line()) {
            int blank = line.indexOf(' ');
            content.put(line.substring(0, blank), line.substring(blank + 1));
        }
        return content;
    }

    @Override
    public void close() {
        killAll();
    }
}
