package dev.larder.arraycli.demo;

import dev.larder.array.ArrayNode;
import dev.larder.array.NodeAddresses;
import dev.larder.arraycli.state.ArrayDescription;
import dev.larder.cli.Larder;
import dev.larder.memory.LarderException;
import dev.larder.memory.StorageException;
import dev.larder.server.Configuration;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * The nodes of an array as processes on this host, in a temporary folder. {@link #close} ends the processes and removes the
 * folder. A node also ends when this process is killed, because its input ends then.
 */
final class DemoNodes implements AutoCloseable {

    private static final int PORTS_OF_NODE = 3;
    private static final int FIRST_PORT = 10_000;
    private static final int FIRST_PORT_OF_SYSTEM = 32_768;
    private static final int PORT_TRIES = 1_000;

    private final Path directory;
    private final ArrayDescription description;
    private final Map<Integer, Process> processes = new HashMap<>();
    private boolean isClosed;

    /** Creates the folders of a number of nodes, and starts none. */
    DemoNodes(int nodes, int stripes, long segmentBytes) {
        try {
            directory = Files.createTempDirectory("larder-array-demo");
        } catch (IOException e) {
            throw new StorageException("cannot make a temporary folder: " + e, e);
        }
        try {
            ArrayDescription described = ArrayDescription.of(UUID.randomUUID(), freeAddresses(nodes));
            description = described.with(stripes, described.mirrors(), 0).withSegmentBytes(segmentBytes);
            description.write(file());
            description.nodes().keySet().forEach(node -> ArrayNode.create(description.options(node, folder(node))));
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private static List<NodeAddresses> freeAddresses(int nodes) {
        List<ServerSocket> sockets = new ArrayList<>();
        List<InetSocketAddress> free = new ArrayList<>();
        try {
            for (int i = 0; i < nodes * PORTS_OF_NODE; i++) {
                ServerSocket socket = listen();
                sockets.add(socket);
                free.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort()));
            }
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new LarderException("no free ports: " + e, e);
        }
        List<NodeAddresses> addresses = new ArrayList<>();
        for (int i = 0; i < free.size(); i += PORTS_OF_NODE) {
            addresses.add(new NodeAddresses(free.get(i), free.get(i + 1), free.get(i + 2)));
        }
        return addresses;
    }

    /**
     * Listens on a port below those that the system gives to connections: one of the latter may be taken before a node starts.
     */
    private static ServerSocket listen() throws IOException {
        for (int tries = 1; ; tries++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, FIRST_PORT_OF_SYSTEM);
            try {
                return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
            } catch (IOException e) {
                if (tries == PORT_TRIES) {
                    throw e;
                }
            }
        }
    }

    ArrayDescription description() {
        return description;
    }

    Path directory() {
        return directory;
    }

    private Path file() {
        return directory.resolve("array.properties");
    }

    private Path folder(int node) {
        return directory.resolve("node" + node);
    }

    private Path said(int node) {
        return directory.resolve("node" + node + ".txt");
    }

    void startAll() {
        description.nodes().keySet().forEach(this::start);
    }

    /** Starts a node; it serves some time later. */
    synchronized void start(int node) {
        if (isClosed) {
            throw new LarderException("the demo was stopped");
        }
        try {
            ProcessBuilder builder = new ProcessBuilder(command(node))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(said(node).toFile()));
            removeParameters(builder.environment());
            processes.put(node, builder.start());
        } catch (IOException e) {
            throw new LarderException("cannot start node " + node + ": " + e, e);
        }
    }

    /** Removes the parameters of servers: the demo knows no password, and its nodes have the parameters of the demo alone. */
    static void removeParameters(Map<String, String> environment) {
        environment.keySet().removeIf(name -> name.startsWith(Configuration.ENVIRONMENT_PREFIX));
    }

    private List<String> command(int node) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", // it starts sooner
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "--illegal-native-access=deny",
                "-cp",
                System.getProperty("java.class.path"),
                Larder.class.getName(),
                "array",
                "serve",
                file().toString(),
                "--node",
                Integer.toString(node),
                folder(node).toString(),
                "--until-input-ends");
    }

    /** Kills a node ({@code kill -9}), and returns when its process has ended. */
    synchronized void kill(int node) {
        Process process = processes.remove(node);
        if (process != null) {
            await(process.destroyForcibly());
        }
    }

    /**
     * Requires that each started node is running.
     *
     * @throws LarderException if one has ended; the message has the node's last output
     */
    synchronized void requireRunning() {
        processes.forEach((node, process) -> {
            if (!process.isAlive()) {
                throw new LarderException("node " + node + " ended with exit code " + process.exitValue() + ": "
                        + (isClosed ? "the demo was stopped" : lastLine(node)));
            }
        });
    }

    private String lastLine(int node) {
        try (Stream<String> lines = Files.lines(said(node))) {
            return lines.filter(line -> !line.isBlank())
                    .reduce((earlier, later) -> later)
                    .orElse("it printed nothing");
        } catch (IOException e) {
            return "cannot read its output: " + e;
        }
    }

    private static void await(Process process) {
        boolean interrupted = false;
        while (process.isAlive()) {
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kills the nodes and removes the folder. No node can be started afterwards. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        List.copyOf(processes.keySet()).forEach(this::kill);
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new StorageException("cannot remove " + directory + ": " + e, e);
        }
    }
}
