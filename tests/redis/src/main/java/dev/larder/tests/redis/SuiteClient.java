package dev.larder.tests.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * The part of the suite that runs a unit: a Tcl process that connects to us, gets the name of a unit, and sends events.
 *
 * <pre>
 * 27\n                      characters that follow, both ways; Tcl writes CR LF for each LF
 * testing {DEL all keys} 0  a list of Tcl: kind, text, milliseconds
 * </pre>
 */
final class SuiteClient implements AutoCloseable {

    private static final int PORTS = 2000;
    private static final int READ_BYTES = 64 << 10;

    private final Reactor reactor;
    private final ServerSocketChannel listener;
    private final Process process;
    private final Queue<SuiteEvent> events = new ArrayDeque<>();
    private final StringBuilder text = new StringBuilder();
    private final ByteBuffer input = ByteBuffer.allocate(READ_BYTES);
    private Optional<SocketChannel> channel = Optional.empty();
    private boolean afterReturn;
    private boolean ended;

    /**
     * Starts the process.
     *
     * @param script the suite's own, or a script that waits for an answer to each event
     */
    SuiteClient(
            Reactor reactor,
            Path folder,
            String script,
            List<String> options,
            int basePort,
            Map<String, String> variables)
            throws IOException {
        this.reactor = reactor;
        listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
        reactor.register(listener, SelectionKey.OP_ACCEPT, key -> accept());
        List<String> command = new ArrayList<>(List.of("tclsh", script));
        command.addAll(options);
        command.addAll(List.of("--clients", "1", "--durable"));
        command.addAll(List.of("--client", "" + port, "--baseport", "" + basePort, "--portcount", "" + PORTS));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("suite.log").toFile()));
        builder.environment().putAll(variables);
        process = builder.start();
    }

    private void accept() throws IOException {
        SocketChannel accepted = listener.accept();
        if (accepted != null) {
            channel = Optional.of(accepted);
            reactor.register(accepted, SelectionKey.OP_READ, key -> read(accepted));
        }
    }

    private void read(SocketChannel from) throws IOException {
        input.clear();
        int read = from.read(input);
        if (read < 0) {
            from.close();
            ended = true;
            return;
        }
        for (int i = 0; i < read; i++) {
            append((char) (input.get(i) & 0xFF));
        }
        int line = text.indexOf("\n");
        while (line >= 0) {
            int end = line + 1 + Integer.parseInt(text.substring(0, line));
            if (text.length() < end) {
                return;
            }
            events.add(SuiteEvent.of(text.substring(line + 1, end)));
            text.delete(0, end);
            line = text.indexOf("\n");
        }
    }

    /** Adds a character as Tcl reads line ends: CR, LF and CR LF each end one line, and count as one character. */
    private void append(char character) {
        if (character == '\r' || (character == '\n' && !afterReturn)) {
            text.append('\n');
        } else if (character != '\n') {
            text.append(character);
        }
        afterReturn = character == '\r';
    }

    /** Returns the next event; empty if none came for a time, or the process ended. */
    Optional<SuiteEvent> next(Duration patience) throws IOException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (events.isEmpty() && !ended && System.nanoTime() < deadline) {
            reactor.turn(Duration.ofMillis(200));
            ended |= events.isEmpty() && !process.isAlive();
        }
        return Optional.ofNullable(events.poll());
    }

    /** Returns whether the process has closed its connection. */
    boolean hasEnded() {
        return ended;
    }

    /** Lets a process continue that waits for an answer. */
    void answer() throws IOException {
        send("\n");
    }

    /** Orders the process to run a unit. */
    void run(String unit) throws IOException {
        String packet = TclList.of("run", unit, "0");
        send(packet.length() + "\n" + packet);
    }

    private void send(String line) throws IOException {
        if (channel.isPresent() && channel.get().isOpen()) {
            try {
                channel.get().write(ByteBuffer.wrap(line.getBytes(StandardCharsets.ISO_8859_1)));
            } catch (IOException e) {
                ended = true;
            }
        }
    }

    /** Ends the process and all that it has started. */
    @Override
    public void close() throws IOException {
        List<ProcessHandle> started = process.descendants().toList();
        process.destroyForcibly();
        started.forEach(ProcessHandle::destroyForcibly);
        if (channel.isPresent()) {
            channel.get().close();
        }
        listener.close();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
