package dev.larder.lab.agent;

import dev.larder.cli.Figures;
import dev.larder.lab.process.Peer;
import dev.larder.lab.result.LabException;
import dev.larder.memory.LarderException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;

/** A process on another host, which an {@link Agent} there has started for us. */
public final class RemotePeer implements Peer {

    private static final int CONNECT_MILLIS = 10_000;
    private static final int ANSWER_BYTES_MAX = 64 << 20;
    private static final int CLOCK_QUESTIONS = 8;

    private final AgentAddress agent;
    private final String part;
    private final AgentLines lines;

    private RemotePeer(AgentAddress agent, String part, AgentLines lines) {
        this.agent = agent;
        this.part = part;
        this.lines = lines;
    }

    /**
     * Has an agent start a process.
     *
     * @param part what it is to play, such as {@code generator}
     * @throws LabException when there is no agent, or it refuses us
     */
    public static RemotePeer start(AgentAddress agent, String part) {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(agent.host(), agent.port()), CONNECT_MILLIS);
            AgentLines lines = new AgentLines(socket);
            lines.readTimeout(AgentLines.SILENCE_MILLIS);
            RemotePeer peer = new RemotePeer(agent, part, lines);
            peer.begin();
            return peer;
        } catch (IOException e) {
            throw new LabException("cannot reach an agent at " + agent + ": " + e.getMessage(), e);
        }
    }

    private void begin() {
        try {
            converse("start", new Figures().put("token", agent.token()).put("start", part));
        } catch (LarderException e) {
            close();
            throw e;
        }
    }

    @Override
    public Figures ask(String command, Figures arguments) {
        return converse(command, new Figures().put("do", command).putAll(arguments));
    }

    private Figures converse(String command, Figures question) {
        try {
            lines.write(question);
            Figures answer = lines.read(ANSWER_BYTES_MAX);
            if (answer == null) {
                throw new IOException("it has closed the connection");
            }
            if (answer.has("error")) {
                throw new LabException(
                        "the agent at " + agent + " (" + part + ") failed to " + command + ": " + answer.text("error"));
            }
            return answer;
        } catch (SocketTimeoutException e) {
            throw gone(command, "it has been silent for " + AgentLines.SILENCE_MILLIS / 1_000 + " s", e);
        } catch (IOException e) {
            throw gone(command, String.valueOf(e.getMessage()), e);
        }
    }

    private LabException gone(String command, String reason, IOException cause) {
        return new LabException(
                "the agent at " + agent + " has gone while its " + part + " was asked to " + command + ": " + reason,
                cause);
    }

    /** On another host it writes to a directory of the same name, in that of its agent. */
    @Override
    public String place(Path directory) {
        return directory.getFileName().toString();
    }

    /** {@inheritDoc} Asked several times; the quickest answer tells it best, to half of the time it took. */
    @Override
    public long clockAheadNanos() {
        long quickest = Long.MAX_VALUE;
        long ahead = 0;
        for (int i = 0; i < CLOCK_QUESTIONS; i++) {
            long before = System.nanoTime();
            long there = ask("clock", new Figures()).whole("nanos");
            long took = System.nanoTime() - before;
            if (took < quickest) {
                quickest = took;
                ahead = there - before - took / 2;
            }
        }
        return ahead;
    }

    @Override
    public String host() {
        return agent.place();
    }

    @Override
    public void destroy() {
        lines.close();
    }

    @Override
    public void close() {
        lines.close();
    }
}
