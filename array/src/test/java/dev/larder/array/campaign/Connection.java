package dev.larder.array.campaign;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A client's connection to a node. It waits for no reply longer than {@link #PATIENCE_MILLIS}. */
final class Connection implements AutoCloseable {

    static final int PATIENCE_MILLIS = 1000;

    private static final int CONNECT_MILLIS = 300;

    private final Socket socket = new Socket();
    private final DataInputStream in;

    Connection(InetSocketAddress address) throws IOException {
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(address, CONNECT_MILLIS);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends commands together, and returns their replies. */
    List<Reply> send(List<List<String>> commands) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (List<String> words : commands) {
            out.writeBytes(bytes("*" + words.size() + "\r\n"));
            for (String word : words) {
                out.writeBytes(bytes("$" + word.length() + "\r\n" + word + "\r\n"));
            }
        }
        out.writeTo(socket.getOutputStream());
        List<Reply> replies = new ArrayList<>();
        for (int i = 0; i < commands.size(); i++) {
            replies.add(reply());
        }
        return replies;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.readUnsignedByte(); c != '\r'; c = in.readUnsignedByte()) {
            line.append((char) c);
        }
        in.readUnsignedByte();
        return line.toString();
    }

    private Reply reply() throws IOException {
        String head = line();
        char kind = head.charAt(0);
        String rest = head.substring(1);
        return switch (kind) {
            case '+', '-', ':' -> new Reply(kind, rest, List.of());
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> array(Integer.parseInt(rest));
            default -> throw new IOException("no reply: " + head);
        };
    }

    private Reply bulk(int length) throws IOException {
        if (length < 0) {
            return new Reply(Reply.NIL, "", List.of());
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        in.skipNBytes(2);
        return new Reply('$', new String(bytes, StandardCharsets.ISO_8859_1), List.of());
    }

    private Reply array(int count) throws IOException {
        if (count < 0) {
            return new Reply(Reply.NIL, "", List.of());
        }
        List<Reply> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            parts.add(reply());
        }
        return new Reply('*', "", parts);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // what was sent is judged by its replies
        }
    }
}
