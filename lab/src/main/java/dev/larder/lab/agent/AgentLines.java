package dev.larder.lab.agent;

import dev.larder.cli.Figures;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What an agent and a conductor say to each other: one JSON object a line, UTF-8. An empty line means nothing; an agent
 * sends one now and then while a question is answered, so that silence means that it has gone.
 */
final class AgentLines implements AutoCloseable {

    /** How often an agent that is at work says so. */
    static final int SIGN_OF_LIFE_MILLIS = 2_000;

    /** After so long without one it counts as gone. */
    static final int SILENCE_MILLIS = 20_000;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    AgentLines(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** Fails a read that waits for longer; 0: however long. */
    void readTimeout(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    /** Returns the next line that means something; null at the end. One of more bytes than that is an error. */
    @Nullable
    Figures read(int bytesMax) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next != '\n') {
                line.write(next);
            } else if (line.size() > 0) {
                return Figures.parse(line.toString(StandardCharsets.UTF_8));
            }
            if (line.size() > bytesMax) {
                throw new IOException("a line of more than " + bytesMax + " bytes");
            }
        }
        return null;
    }

    synchronized void write(Figures figures) throws IOException {
        out.write((figures.toJson() + "\n").getBytes(StandardCharsets.UTF_8));
    }

    synchronized void writeSignOfLife() throws IOException {
        out.write('\n');
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // It was of no more use anyway.
        }
    }
}
