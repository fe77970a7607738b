package dev.larder.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A client for tests. A reply is shown as a text, so that a test can say what it expects in a line: {@code OK}, {@code 12},
 * {@code nil}, {@code ERR ...}, {@code [a, 1, nil]}, a map as {@code {a=1}}, a push as {@code >[...]}.
 */
public final class TestClient implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    /** A client of a port of loopback. */
    public TestClient(int port) {
        this(connected(port));
    }

    private static Socket connected(int port) {
        try {
            return new Socket(InetAddress.getLoopbackAddress(), port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A client of a connection. */
    public TestClient(Socket connection) {
        try {
            socket = connection;
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
            out = socket.getOutputStream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a command, split at blanks, and returns its reply. */
    public String line(String command) {
        return call(command.split(" ", -1));
    }

    /** Sends a command and returns its reply. */
    public String call(String... arguments) {
        send(arguments);
        return reply();
    }

    /** Sends a command whose reply is an array of simple strings, and returns these. */
    public List<String> statuses(String command) {
        send(command.split(" ", -1));
        try {
            List<String> all = new ArrayList<>();
            for (int left = Integer.parseInt(readAs('*')); left > 0; left--) {
                all.add(readAs('+'));
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String readAs(char expected) throws IOException {
        int type = in.read();
        String line = readLine();
        if (type != expected) {
            throw new IOException("a reply of type " + (char) type + ": " + line);
        }
        return line;
    }

    /** Sends a command. */
    public void send(String... arguments) {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        write(request, "*" + arguments.length + "\r\n");
        for (String argument : arguments) {
            byte[] bytes = argument.getBytes(StandardCharsets.ISO_8859_1);
            write(request, "$" + bytes.length + "\r\n");
            request.writeBytes(bytes);
            write(request, "\r\n");
        }
        sendBytes(request.toByteArray());
    }

    private static void write(ByteArrayOutputStream request, String text) {
        request.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends bytes as they are. */
    public void sendBytes(byte[] bytes) {
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the next reply; {@code closed} where the server has closed the connection. */
    public String reply() {
        try {
            return read();
        } catch (EOFException e) {
            return "closed";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String read() throws IOException {
        int type = in.read();
        if (type < 0) {
            throw new EOFException();
        }
        String line = readLine();
        return switch (type) {
            case '+', '-', ':', ',', '#', '(' -> line;
            case '_' -> "nil";
            case '$', '=' -> readBytes(Integer.parseInt(line));
            case '*' ->
                line.equals("-1") ? "nil" : readMany(Integer.parseInt(line)).toString();
            case '~' -> "set" + readMany(Integer.parseInt(line));
            case '>' -> ">" + readMany(Integer.parseInt(line));
            case '%' -> readMap(Integer.parseInt(line));
            default -> throw new IOException("a reply of type " + (char) type + ": " + line);
        };
    }

    private List<String> readMany(int count) throws IOException {
        List<String> replies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            replies.add(read());
        }
        return replies;
    }

    private String readMap(int count) throws IOException {
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pairs.add(read() + "=" + read());
        }
        return "{" + String.join(", ", pairs) + "}";
    }

    private String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\r'; b = in.read()) {
            if (b < 0) {
                throw new EOFException();
            }
            line.write(b);
        }
        in.read();
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    private String readBytes(int length) throws IOException {
        if (length < 0) {
            return "nil";
        }
        byte[] bytes = in.readNBytes(length + 2);
        if (bytes.length < length + 2) {
            throw new EOFException();
        }
        return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
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
