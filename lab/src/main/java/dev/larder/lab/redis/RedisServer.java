package dev.larder.lab.redis;

import dev.larder.cli.Figures;
import dev.larder.lab.machine.ProcessUse;
import dev.larder.lab.result.Directories;
import dev.larder.lab.result.LabException;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A private redis-server: on the loopback interface alone, on a free port, keeping nothing on disk, for as long as a run.
 *
 * <p>A shell stands between: it ends the server when its standard input ends, so that none outlives the run, however that
 * ends.
 */
public final class RedisServer implements AutoCloseable {

    private static final String PROGRAM = "redis-server";
    private static final String UNTIL_INPUT_ENDS = "trap '' INT; \"$@\" & server=$!; echo \"$server\";"
            + " cat >/dev/null; kill \"$server\"; wait \"$server\"";
    private static final long START_SECONDS = 20;
    private static final long POLL_MILLIS = 20;
    private static final long CLUSTER_BUS_OFFSET = 10_000;

    private final Process shell;
    private final long pid;
    private final int port;

    private RedisServer(Process shell, long pid, int port) {
        this.shell = shell;
        this.pid = pid;
        this.port = port;
    }

    /** Returns whether one can be started here. */
    public static boolean isInstalled() {
        return program(PROGRAM).isPresent();
    }

    static Optional<Path> program(String name) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Starts one, and waits until it answers.
     *
     * @param directory for its log
     * @param further arguments
     * @throws LabException when the program is missing, or does not come up
     */
    public static RedisServer start(Path directory, String... further) {
        Path program = program(PROGRAM)
                .orElseThrow(() -> new LabException("there is no " + PROGRAM + " on the PATH to start; install it (for"
                        + " example: apt-get install redis-server), or name one that runs: --target HOST:PORT"));
        try {
            RedisServer server = start(program, Directories.create(directory), freePort(), List.of(further));
            server.awaitAnswer(directory.resolve("redis.log"));
            return server;
        } catch (IOException e) {
            throw new LabException("cannot start " + PROGRAM + ": " + e.getMessage(), e);
        }
    }

    private static RedisServer start(Path program, Path directory, int port, List<String> further) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("/bin/sh", "-c", UNTIL_INPUT_ENDS, "sh", program.toString(), "--port"));
        command.add(Integer.toString(port));
        command.addAll(List.of("--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--daemonize", "no"));
        command.addAll(List.of("--dir", directory.toAbsolutePath().toString(), "--logfile", "redis.log"));
        command.addAll(further);
        Process shell = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(directory.resolve("redis-errors.log").toFile())
                .start();
        return new RedisServer(shell, pid(shell), port);
    }

    @SuppressWarnings("resource") // the reader is the process'
    private static long pid(Process shell) throws IOException {
        String line = shell.inputReader().readLine();
        if (line == null) {
            throw new IOException("the shell that was to start it has ended");
        }
        return Long.parseLong(line);
    }

    /** A cluster's nodes talk to each other at a port 10000 above, so that one must be free as well. */
    private static int freePort() throws IOException {
        for (int attempt = 0; attempt < 100; attempt++) {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                if (socket.getLocalPort() + CLUSTER_BUS_OFFSET <= 65_535) {
                    return socket.getLocalPort();
                }
            }
        }
        return 16_379;
    }

    private void awaitAnswer(Path log) {
        long start = System.nanoTime();
        while (!answers()) {
            if (!isAlive() || System.nanoTime() - start > TimeUnit.SECONDS.toNanos(START_SECONDS)) {
                close();
                throw new LabException(PROGRAM + " does not answer: " + lastWords(log));
            }
            pause();
        }
    }

    private boolean isAlive() {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted while " + PROGRAM + " started", e);
        }
    }

    private static String lastWords(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            return lines.isEmpty() ? "it printed nothing" : lines.getLast();
        } catch (IOException e) {
            return "its log cannot be read: " + e.getMessage();
        }
    }

    /** Returns {@code HOST:PORT}. */
    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Returns the number of its process. */
    public long pid() {
        return pid;
    }

    /** Returns what all of several have used, as {@link ProcessUse#of}. */
    static Figures used(List<RedisServer> servers) {
        return ProcessUse.of(servers.stream().map(RedisServer::pid).toList());
    }

    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
        } catch (IOException e) {
            // the shell has ended already, and the server with it
        }
        try {
            if (!shell.waitFor(START_SECONDS, TimeUnit.SECONDS)) {
                shell.descendants().forEach(ProcessHandle::destroyForcibly);
                shell.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
