package dev.larder.lab.array;

import dev.larder.cli.Figures;
import dev.larder.lab.process.ArrayClassPath;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.LocalServer;
import dev.larder.lab.redis.RedisServers;
import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.Directories;
import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The nodes of an array as processes on this host, each with its own folder. A node ends when this process ends, since
 * its input then ends.
 */
final class ArrayNodes implements RedisServers {

    private static final String HOST = "127.0.0.1";
    private static final int SLOTS_AT = 8;

    /** A node takes two ports besides its clients' port. */
    private static final int RAFT_ABOVE = 10_000;

    private static final int FILES_ABOVE = 20_000;
    private static final List<String> SERVING = List.of("-XX:+UseG1GC");

    /** Flags of short commands, for which better code does not pay. */
    private static final List<String> SHORT = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final List<String> FLAGS = List.of(
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED",
            "--illegal-native-access=deny");

    private final Path directory;
    private final Path logs;
    private final long heapBytes;
    private final String classPath = ArrayClassPath.find();
    private final List<Integer> clients = new ArrayList<>();
    private final NodeProcesses running = new NodeProcesses();

    /** Creates the nodes' folders and starts the nodes; they serve some time later. */
    ArrayNodes(ArrayOptions.Shape shape, int stripes, Path directory, Path logs) {
        this.directory = Directories.create(directory);
        this.logs = logs;
        this.heapBytes = shape.heapBytes();
        try {
            Attempt.to("start an array in " + directory, () -> {
                describe(shape, stripes);
                create(shape.nodes());
                IntStream.range(0, shape.nodes()).forEach(this::start);
            });
        } catch (RuntimeException e) {
            close(); // the caller has nothing to close, and nodes may run
            throw e;
        }
    }

    private Path description() {
        return directory.resolve("array.properties");
    }

    private void describe(ArrayOptions.Shape shape, int stripes) throws IOException {
        while (clients.size() < shape.nodes()) {
            int port = LocalServer.freePort(RAFT_ABOVE, FILES_ABOVE);
            if (!clients.contains(port)) {
                clients.add(port);
            }
        }
        List<String> arguments =
                new ArrayList<>(List.of(description().toString(), "--nodes", addresses(), "--stripes", "" + stripes));
        if (shape.valuesOnce()) {
            arguments.add("--values-once");
        }
        Process init = process("init", 0, arguments);
        if (NodeProcesses.await(init) != 0) {
            throw new LabException("cannot write the file of the array: " + lastWords(0));
        }
    }

    private void create(int nodes) throws IOException {
        List<Process> creating = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            creating.add(process("create", node, ofNode(node)));
        }
        for (int node = 0; node < nodes; node++) {
            if (NodeProcesses.await(creating.get(node)) != 0) {
                throw new LabException("cannot create node " + node + ": " + lastWords(node));
            }
        }
    }

    private List<String> ofNode(int node, String... further) {
        List<String> arguments = new ArrayList<>(List.of(description().toString(), "--node", "" + node));
        arguments.add(directory.resolve("node" + node).toString());
        arguments.addAll(List.of(further));
        return arguments;
    }

    /** Runs a command of the array; its output goes to a node's log. */
    private Process process(String verb, int node, List<String> arguments) throws IOException {
        List<String> command = JavaProcess.start(heapBytes);
        command.addAll(verb.equals("serve") ? SERVING : SHORT);
        command.addAll(FLAGS);
        command.addAll(List.of("-cp", classPath, "dev.larder.cli.Larder", "array", verb));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(node).toFile()))
                .start();
    }

    private Path log(int node) {
        return logs.resolve("node" + node + ".log");
    }

    private String lastWords(int node) {
        return LocalServer.lastWords(log(node));
    }

    /** Starts a stopped node. */
    void start(int node) {
        Attempt.to(
                "start node " + node,
                () -> running.add(node, process("serve", node, ofNode(node, "--until-input-ends"))));
    }

    /** Kills a node ({@code kill -9}) and waits for its end. */
    void kill(int node) {
        running.kill(node);
    }

    /** @throws LabException if a node has ended by itself */
    void requireRunning() {
        running.forEach((node, process) -> {
            if (!process.isAlive()) {
                throw new LabException(
                        "node " + node + " ended with exit code " + process.exitValue() + ": " + lastWords(node));
            }
        });
    }

    /** Returns the node that leads the first slot; node 0 if that is unknown. */
    int leader() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), clients.getFirst())) {
            socket.setSoTimeout(5_000);
            socket.getOutputStream().write("CLUSTER NODES\r\n".getBytes(StandardCharsets.US_ASCII));
            return leader(bulk(socket.getInputStream()), clients).orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }

    /** Reads a reply of RESP: {@code $}, the number of bytes, an end of line, and the bytes. They may come in parts. */
    static String bulk(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int octet = in.read(); octet >= 0 && octet != '\n'; octet = in.read()) {
            head.append((char) octet);
        }
        String length = head.toString().strip();
        if (!length.matches("[$]\\d{1,9}")) {
            throw new IOException("not a reply of a text: " + length);
        }
        return new String(in.readNBytes(Integer.parseInt(length.substring(1))), StandardCharsets.US_ASCII);
    }

    /**
     * Returns the node that leads the first slot, by its port.
     *
     * <pre>
     * id 127.0.0.1:7000@17000 master - 0 1700000000 5 connected 0-99 200      slots after the eighth word
     * </pre>
     */
    static OptionalInt leader(String nodes, List<Integer> ports) {
        return nodes.lines()
                .map(line -> List.of(line.strip().split(" ", -1)))
                .filter(words -> words.size() > SLOTS_AT
                        && words.subList(SLOTS_AT, words.size()).stream().anyMatch(slots -> slots.matches("0(-\\d+)?")))
                .map(words -> words.get(1))
                .flatMapToInt(address -> IntStream.range(0, ports.size())
                        .filter(node -> address.equals(HOST + ":" + ports.get(node))
                                || address.startsWith(HOST + ":" + ports.get(node) + "@")))
                .findFirst();
    }

    @Override
    public String addresses() {
        return String.join(",", clients.stream().map(port -> HOST + ":" + port).toList());
    }

    @Override
    public boolean isCluster() {
        return true;
    }

    @Override
    public List<Long> pids() {
        return running.pids();
    }

    @Override
    public Figures used() {
        return running.used();
    }

    /** Kills the nodes and removes their folders. */
    @Override
    public void close() {
        running.killAll();
        Directories.delete(directory);
    }
}
