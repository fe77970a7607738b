package dev.larder.array.campaign;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The nodes of an array, each a process. One thread at a time starts and ends them. */
final class Cluster implements AutoCloseable {

    private final Path directory;
    private final Network network;
    private final int nodes;
    private final String classPath;
    private final Map<Integer, NodeProcess> running = new ConcurrentSkipListMap<>();

    /**
     * Makes the folders of new nodes, and starts all.
     *
     * @param planted a folder of classes that stand ahead of the project's; null: none
     */
    Cluster(Path directory, Network network, int nodes, @Nullable Path planted) {
        this.directory = directory;
        this.network = network;
        this.nodes = nodes;
        String ours = System.getProperty("java.class.path");
        this.classPath = planted == null ? ours : planted + File.pathSeparator + ours;
        try {
            IntStream.range(0, nodes).forEach(this::create);
            startAll();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    int nodes() {
        return nodes;
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
        List<String> arguments = new ArrayList<>(List.of(command, folder(node).toString(), Integer.toString(node)));
        for (int one = 0; one < nodes; one++) {
            arguments.add(network.addresses(one));
        }
        return arguments;
    }

    private NodeProcess process(int node) {
        return process(node, "start");
    }

    private NodeProcess process(int node, String command) {
        return new NodeProcess(network.prefix(node), classPath, log(node), arguments(node, command));
    }

    /** Makes the folder of a node that has none: as an operator would who takes a node that lost its disk for a new one. */
    void create(int node) {
        if (network.hidesFiles(node)) {
            process(node, "create").line();
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
        for (int node = 0; node < nodes; node++) {
            NodeProcess before = running.get(node);
            if (before != null && !before.isAlive()) {
                running.remove(node);
                before = null;
            }
            if (before == null) {
                started.put(node, process(node));
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

    /** Returns what a node has said on its standard error. */
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
            process.kill();
        }
    }

    void killAll() {
        List<NodeProcess> all = List.copyOf(running.values());
        running.clear();
        all.forEach(NodeProcess::kill);
    }

    /** Has all nodes stop in order. */
    void endAll() {
        List<NodeProcess> all = List.copyOf(running.values());
        running.clear();
        all.forEach(NodeProcess::end);
    }

    /** Stops a node, as by {@code SIGSTOP}; {@link #resume} has it go on. */
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

    /** Returns the indexes up to which a node has applied each stripe; nothing if it does not run. */
    String applied(int node) {
        NodeProcess process = running.get(node);
        return process == null ? "" : process.ask("applied");
    }

    /** Returns which node says that it leads the first stripe; -1 if none does. A node that is stopped must not be asked. */
    int leader() {
        return running.entrySet().stream()
                .filter(node -> node.getValue().ask("leads").equals("true"))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(-1);
    }

    /** Returns what the store of a node holds that is stopped. */
    Map<String, String> content(int node) {
        if (!network.hidesFiles(node)) {
            return NodeProgram.content(folder(node));
        }
        Map<String, String> content = new TreeMap<>();
        NodeProcess reader = process(node, "content");
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
