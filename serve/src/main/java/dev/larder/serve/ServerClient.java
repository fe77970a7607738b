package dev.larder.serve;

import dev.larder.memory.StorageException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocket;

/** A connection to a server of this machine, for commands that reply with a line or with bytes. */
final class ServerClient implements AutoCloseable {

    private static final int HANDSHAKE_MILLIS = 5_000;

    private final int port;
    private final Socket socket;
    private final InputStream in;

    /**
     * Connects.
     *
     * @param sockets makes a socket of TLS, or a plain one
     */
    ServerClient(SocketFactory sockets, int port) throws IOException {
        this.port = port;
        try {
            socket = sockets.createSocket(InetAddress.getLoopbackAddress(), port);
        } catch (IOException e) {
            throw new StorageException("no server listens on port " + port + " of this machine: " + e.getMessage(), e);
        }
        if (socket instanceof SSLSocket secured) {
            shakeHands(secured);
        }
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** A port without TLS may never answer the greeting. */
    private void shakeHands(SSLSocket secured) throws IOException {
        try {
            secured.setSoTimeout(HANDSHAKE_MILLIS);
            secured.startHandshake();
            secured.setSoTimeout(0);
        } catch (IOException e) {
            secured.close();
            throw new StorageException(
                    "the server on port " + port + " of this machine cannot be reached with TLS: " + e.getMessage(), e);
        }
    }

    /**
     * Sends a command and returns its reply.
     *
     * @throws StorageException if the reply is an error, or there is no reply
     */
    String call(String... arguments) {
        try {
            return reply(arguments);
        } catch (IOException e) {
            throw new StorageException(
                    "the server on port " + port + " of this machine does not reply: " + e.getMessage(), e);
        }
    }

    private String reply(String... arguments) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(("*" + arguments.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (String argument : arguments) {
            byte[] bytes = argument.getBytes(StandardCharsets.UTF_8);
            request.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            request.writeBytes(bytes);
            request.writeBytes(new byte[] {'\r', '\n'});
        }
        socket.getOutputStream().write(request.toByteArray());
        String line = line();
        if (line.startsWith("-")) {
            throw new StorageException("the server replies: " + line.substring(1));
        }
        if (line.startsWith("+") || line.startsWith(":")) {
            return line.substring(1);
        }
        if (!line.matches("[$]\\d{1,9}")) {
            throw new IOException("'" + line + "' is not a reply to " + arguments[0]);
        }
        byte[] bytes = in.readNBytes(Integer.parseInt(line.substring(1)));
        in.skipNBytes(2);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int one = in.read(); one != '\n'; one = in.read()) {
            if (one < 0) {
                throw new EOFException("the server has closed the connection");
            }
            line.write(one);
        }
        String text = line.toString(StandardCharsets.UTF_8);
        return text.substring(0, Math.max(0, text.length() - 1));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
