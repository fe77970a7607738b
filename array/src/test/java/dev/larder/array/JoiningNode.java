package dev.larder.array;

import dev.larder.server.Configuration;
import dev.larder.tests.support.ChildProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** A node that joins a {@link TestArray} later, in a process of its own that may be killed. */
final class JoiningNode implements AutoCloseable {

    private static final String SERVES = "SERVES";

    private final Process process;
    private final BufferedReader output;
    private final Path log;

    /** Starts the node, and first makes its folder if there is none. */
    JoiningNode(ArrayOptions options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "-Xmx160m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                ChildProgram.class.getName(),
                JoiningNode.class.getName(),
                options.directory().toString(),
                Integer.toString(options.node()),
                Long.toString(options.catchUp().logBytes()),
                Long.toString(options.catchUp().pullBytesPerSecond())));
        options.nodes()
                .forEach((node, at) -> command.add(node + ":" + at.clients().getPort() + ":"
                        + at.raft().getPort() + ":" + at.links().getPort()));
        log = options.directory().resolveSibling("joining.log");
        process = new ProcessBuilder(command).redirectError(log.toFile()).start();
        output = process.inputReader(StandardCharsets.UTF_8);
        if (!SERVES.equals(output.readLine())) {
            throw new IOException("node " + options.node() + " does not serve: " + log());
        }
    }

    public static void main(String[] arguments) throws IOException {
        Map<Integer, NodeAddresses> known = new HashMap<>();
        for (int i = 4; i < arguments.length; i++) {
            String[] parts = arguments[i].split(":", -1);
            known.put(Integer.valueOf(parts[0]), new NodeAddresses(at(parts[1]), at(parts[2]), at(parts[3])));
        }
        int node = Integer.parseInt(arguments[1]);
        CatchUp catchUp = new CatchUp(Long.parseLong(arguments[2]), Long.parseLong(arguments[3]));
        ArrayOptions options = TestArray.options(Path.of(arguments[0]), node, known, catchUp);
        if (!Files.exists(options.directory())) {
            ArrayNode.create(options);
        }
        int port = Objects.requireNonNull(known.get(node)).clients().getPort();
        try (ArrayNode _ = ArrayNode.start(
                options,
                Configuration.defaults()
                        .with("port", Integer.toString(port))
                        .with(
                                "dir",
                                options.directory().resolveSibling("unused").toString()))) {
            System.out.println(SERVES);
            while (System.in.read() >= 0) {
                // the process ends with its input
            }
        }
    }

    private static InetSocketAddress at(String port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
    }

    /** Kills the process at once ({@code kill -9}). */
    void kill() throws IOException, InterruptedException {
        if (!process.isAlive()) {
            throw new AssertionError("the node has ended by itself: " + log());
        }
        process.destroyForcibly();
        requireEnd();
    }

    /** Stops the node in order. */
    void end() throws IOException, InterruptedException {
        process.getOutputStream().close();
        requireEnd();
        if (process.exitValue() != 0) {
            throw new AssertionError("the node has ended with code " + process.exitValue() + ": " + log());
        }
    }

    private void requireEnd() throws InterruptedException {
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            throw new AssertionError("the node does not end");
        }
    }

    private String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
