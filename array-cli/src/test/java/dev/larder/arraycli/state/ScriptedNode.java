package dev.larder.arraycli.state;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A node whose replies a test writes: a function of the words of a command returns a reply in Redis' protocol. */
final class ScriptedNode implements AutoCloseable {

    private final ServerSocket listening;
    private final Function<List<String>, String> replies;

    ScriptedNode(InetSocketAddress address, Function<List<String>, String> replies) {
        this.replies = replies;
        try {
            listening = new ServerSocket(address.getPort(), 50, address.getAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofPlatform().daemon().start(this::accept);
    }

    static String bulk(String text) {
        return "$" + text.getBytes(StandardCharsets.ISO_8859_1).length + "\r\n" + text + "\r\n";
    }

    static String array(String... parts) {
        StringBuilder reply = new StringBuilder("*" + parts.length + "\r\n");
        for (String part : parts) {
            reply.append(bulk(part));
        }
        return reply.toString();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Thread.ofPlatform().daemon().start(() -> serve(client));
            }
        } catch (IOException e) {
            return; // closed
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            while (true) {
                int count = number(in);
                List<String> words = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    int length = number(in);
                    words.add(new String(in.readNBytes(length), StandardCharsets.ISO_8859_1));
                    in.skipNBytes(2);
                }
                client.getOutputStream().write(replies.apply(words).getBytes(StandardCharsets.ISO_8859_1));
            }
        } catch (IOException e) {
            return; // the client has gone
        }
    }

    /** Reads a line, and returns the number after its first character. */
    private static int number(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException();
            }
            line.append((char) next);
        }
        return Integer.parseInt(line.substring(1).strip());
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
