package dev.larder.lab.agent;

import dev.larder.cli.Figures;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.MemoryLimit;
import dev.larder.lab.result.Directories;
import dev.larder.lab.result.LabException;
import dev.larder.memory.LarderException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One conductor's connection to an {@link Agent}, and the process that plays its part here. */
final class AgentConnection implements Runnable {

    private static final int HELLO_MILLIS = 10_000;
    private static final int HELLO_BYTES_MAX = 4_096;
    private static final int QUESTION_BYTES_MAX = 1 << 20;
    private static final long HEAP_BYTES = 512L << 20;

    /** What a process is told to write to is a name of the conductor's; it is a file in a directory of ours. */
    private static final List<String> FILES = List.of("directory", "log");

    private final Socket socket;
    private final String token;
    private final Path directory;
    private final Map<String, Class<?>> parts;
    private final Consumer<String> progress;
    private volatile @Nullable ChildProcess child;
    private volatile boolean asking;

    AgentConnection(
            Socket socket, String token, Path directory, Map<String, Class<?>> parts, Consumer<String> progress) {
        this.socket = socket;
        this.token = token;
        this.directory = directory;
        this.parts = parts;
        this.progress = progress;
    }

    @Override
    public void run() {
        String from = String.valueOf(socket.getRemoteSocketAddress());
        try (AgentLines lines = new AgentLines(socket);
                ExecutorService worker = Executors.newSingleThreadExecutor(
                        Thread.ofPlatform().name("questions").factory())) {
            converse(lines, worker, from);
        } catch (IOException | LarderException e) {
            progress.accept("the conductor at " + from + " has gone: " + e.getMessage());
        }
    }

    private void converse(AgentLines lines, ExecutorService worker, String from) throws IOException {
        try {
            if (begin(lines, from)) {
                serve(lines, worker);
            }
        } finally {
            end(); // before the worker is waited for: it may be waiting for the process
        }
    }

    /** Starts the process that a conductor asks for; returns false when it is refused. */
    private boolean begin(AgentLines lines, String from) throws IOException {
        lines.readTimeout(HELLO_MILLIS);
        Figures hello = lines.read(HELLO_BYTES_MAX);
        String reason = hello == null ? "it said nothing" : refusal(hello);
        if (hello == null || reason != null) {
            progress.accept("refused a conductor at " + from + ": " + reason);
            lines.write(new Figures().put("error", reason));
            return false;
        }
        lines.readTimeout(0);
        try {
            start(hello.text("start"));
        } catch (LarderException e) {
            lines.write(new Figures().put("error", e.getMessage()));
            throw e;
        }
        progress.accept("plays the " + hello.text("start") + " for a conductor at " + from + " in " + directory);
        lines.write(new Figures().put("started", hello.get("start")));
        return true;
    }

    private @Nullable String refusal(Figures hello) {
        if (!isToken(hello.get("token"))) {
            return "the token is wrong";
        }
        return parts.containsKey(String.valueOf(hello.get("start")))
                ? null
                : "it plays no '" + hello.get("start") + "', but: " + String.join(", ", parts.keySet());
    }

    private boolean isToken(@Nullable Object given) {
        return given instanceof String text
                && MessageDigest.isEqual(text.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    private void start(String part) {
        Class<?> main = Objects.requireNonNull(parts.get(part));
        child = ChildProcess.start(
                part, JavaProcess.command(HEAP_BYTES, main), MemoryLimit.none(), Directories.create(directory));
    }

    /** Reads while questions are answered: the end of the connection is the end of what is being done for it. */
    private void serve(AgentLines lines, ExecutorService worker) throws IOException {
        for (Figures question = lines.read(QUESTION_BYTES_MAX);
                question != null;
                question = lines.read(QUESTION_BYTES_MAX)) {
            Figures asked = question;
            asking = true;
            worker.execute(() -> answer(lines, asked));
        }
    }

    private void answer(AgentLines lines, Figures question) {
        Figures answer;
        try (SignsOfLife _ = new SignsOfLife(lines)) {
            answer = ask(question);
        }
        asking = false;
        try {
            lines.write(answer);
        } catch (IOException e) {
            lines.close(); // nobody listens any more
        }
    }

    private Figures ask(Figures question) {
        ChildProcess asked = Objects.requireNonNull(child);
        try {
            return asked.ask(question.text("do"), here(question));
        } catch (LarderException e) {
            return new Figures().put("error", e.getMessage());
        }
    }

    /** Returns the question with our own files in it. */
    private Figures here(Figures question) {
        Figures here = new Figures().putAll(question);
        FILES.stream().filter(question::has).forEach(name -> here.put(name, file(question.text(name))));
        return here;
    }

    private Path file(String name) {
        Path file = Path.of(name);
        if (file.getNameCount() != 1 || file.isAbsolute() || name.equals("..") || name.equals(".")) {
            throw new LabException("'" + name + "' is not the plain name of a file");
        }
        return directory.resolve(file);
    }

    /** Ends the process: in order when it is idle, at once when nobody waits for its answer any more. */
    private void end() {
        ChildProcess ended = child;
        if (ended != null) {
            if (asking) {
                ended.destroy();
            }
            ended.close();
        }
    }

    void destroy() {
        try {
            socket.close();
        } catch (IOException e) {
            // It was of no more use anyway.
        }
        ChildProcess ended = child;
        if (ended != null) {
            ended.destroy();
        }
    }
}
