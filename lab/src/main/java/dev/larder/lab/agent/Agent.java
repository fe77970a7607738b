package dev.larder.lab.agent;

import dev.larder.lab.result.Directories;
import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Plays a part of an experiment on this host for a conductor on another: it starts a process of ours for each connection
 * that knows the token, and hands on what that is asked and what it answers.
 *
 * <pre>
 * conductor                                   agent
 *   {"token": T, "start": "generator"}   ->     starts the process, in a directory of its own
 *                                        &lt;- {"started": "generator"}, or {"error": TEXT} and the end
 *   {"do": "load", ...}                  ->     asks the process
 *                                        &lt;- an empty line now and then, then the answer
 *   the end of the connection            ->     ends the process
 * </pre>
 *
 * The lines are not encrypted: where the network is not trusted, lead them through an SSH tunnel.
 */
public final class Agent implements AutoCloseable {

    private static final int TOKEN_BYTES = 16;

    private final ServerSocket server;
    private final String token;
    private final Path directory;
    private final Map<String, Class<?>> parts;
    private final Consumer<String> progress;
    private final Set<AgentConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();

    /**
     * An agent that listens, but does not serve yet.
     *
     * @param address to listen at
     * @param token that a conductor must know
     * @param directory for what its processes leave
     * @param parts the main classes that it starts, by the name of what they play
     * @param progress gets a line for each conductor that comes or is refused
     * @throws LabException when it cannot listen there
     */
    public Agent(
            InetSocketAddress address,
            String token,
            Path directory,
            Map<String, Class<?>> parts,
            Consumer<String> progress) {
        this.token = token;
        this.directory = Directories.create(directory).toAbsolutePath();
        this.parts = Map.copyOf(parts);
        this.progress = progress;
        try {
            server = new ServerSocket();
            server.bind(address);
        } catch (IOException e) {
            throw new LabException("cannot listen at " + address + ": " + e.getMessage(), e);
        }
    }

    /** Returns a token that nobody guesses. */
    public static String newToken() {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Returns the port that it listens at. */
    public int port() {
        return server.getLocalPort();
    }

    /** Serves until it is closed. */
    public void serve() {
        while (!server.isClosed()) {
            try {
                begin(server.accept());
            } catch (IOException e) {
                if (!server.isClosed()) {
                    throw new LabException("no more conductors can come: " + e.getMessage(), e);
                }
            }
        }
    }

    private void begin(Socket socket) {
        Path own = directory.resolve(String.valueOf(count.incrementAndGet()));
        AgentConnection connection = new AgentConnection(socket, token, own, parts, progress);
        connections.add(connection);
        Thread.ofPlatform().name("conductor-" + count.get()).start(() -> {
            connection.run();
            connections.remove(connection);
        });
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            // It was of no more use anyway.
        }
        connections.forEach(AgentConnection::destroy);
    }
}
