package dev.larder.array;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.SocketFactory;

/** A connection to a server in Redis' protocol. Replies are texts, and so are errors. */
final class RespClient implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket;
    private final DataInputStream in;

    RespClient(int port) {
        this(SocketFactory.getDefault(), port);
    }

    /** A connection over sockets of another kind. */
    RespClient(SocketFactory sockets, int port) {
        try {
            socket = sockets.createSocket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            in = new DataInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends commands together, their words parted by blanks, and returns their replies. */
    List<String> pipeline(List<String> lines) {
        return send(lines.stream().map(line -> line.split(" ", -1)).toList());
    }

    /** Returns the sum of a figure over the stripes of a node. */
    long stripeFigures(String name) {
        return Pattern.compile("[:,]" + name + "=(\\d+)")
                .matcher(call("INFO stripes"))
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }

    /** Sends a command whose words may hold blanks, and returns its reply. */
    String words(String... words) {
        return send(List.<String[]>of(words)).getFirst();
    }

    /** Sends commands together, and reads no reply: {@link #next} does. */
    void begin(List<String> lines) {
        write(lines.stream().map(line -> line.split(" ", -1)).toList());
    }

    private List<String> send(List<String[]> commands) {
        write(commands);
        return commands.stream().map(command -> next()).toList();
    }

    private void write(List<String[]> commands) {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            for (String[] words : commands) {
                out.writeBytes(("*" + words.length + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
                for (String word : words) {
                    out.writeBytes(
                            ("$" + word.length() + "\r\n" + word + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
                }
            }
            out.writeTo(socket.getOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a command, its words parted by blanks, and returns its reply. */
    String call(String line) {
        return pipeline(List.of(line)).getFirst();
    }

    /** Returns the next reply, or the next message that comes without a command. */
    String next() {
        try {
            return reply();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.readUnsignedByte(); c != '\r'; c = in.readUnsignedByte()) {
            line.append((char) c);
        }
        in.readUnsignedByte();
        return line.toString();
    }

    private String reply() throws IOException {
        String head = line();
        String rest = head.substring(1);
        return switch (head.charAt(0)) {
            case '+', '-', ':' -> rest;
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> array(Integer.parseInt(rest));
            default -> throw new IOException("no reply: " + head);
        };
    }

    private String bulk(int length) throws IOException {
        if (length < 0) {
            return "nil";
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        in.skipNBytes(2);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private String array(int count) throws IOException {
        if (count < 0) {
            return "nil";
        }
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            parts.add(reply());
        }
        return parts.toString();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
