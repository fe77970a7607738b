package dev.larder.lab.process;

import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A third-party server on the loopback interface, for the time of a run.
 *
 * <p>A shell between ends the server when the shell's standard input ends, so that no server outlives the run, however the
 * run ends.
 */
public final class LocalServer implements AutoCloseable {

    private static final String UNTIL_INPUT_ENDS =
            "trap '' INT; signal=$1; shift; \"$@\" & server=$!; echo \"$server\";"
                    + " cat >/dev/null; kill -\"$signal\" \"$server\"; wait \"$server\"";
    private static final long START_SECONDS = 60;
    private static final long STOP_SECONDS = 120;
    private static final double POLL_SECONDS = 0.05;
    private static final int LEAST_PORT = 10_000;
    private static final int FIRST_OF_SYSTEM = 32_768;
    private static final int PORT_TRIES = 1_000;

    private final String name;
    private final Process shell;
    private final long pid;

    private LocalServer(String name, Process shell, long pid) {
        this.name = name;
        this.shell = shell;
        this.pid = pid;
    }

    /**
     * Starts one.
     *
     * @param name for people
     * @param signal that ends it in order, such as TERM
     * @param as the words before the shell, to run it as another user
     * @param directory its working directory
     * @param log for its errors
     */
    public static LocalServer start(
            String name, String signal, List<String> as, List<String> command, Path directory, Path log) {
        List<String> whole = new ArrayList<>(as);
        whole.addAll(List.of("/bin/sh", "-c", UNTIL_INPUT_ENDS, "sh", signal));
        whole.addAll(command);
        return Attempt.giving("start " + name, () -> {
            Process shell = new ProcessBuilder(whole)
                    .directory(directory.toFile())
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            return new LocalServer(name, shell, pid(shell));
        });
    }

    @SuppressWarnings("resource") // the process owns it
    private static long pid(Process shell) throws IOException {
        String line = shell.inputReader().readLine();
        if (line == null) {
            throw new IOException("the shell that starts it has ended");
        }
        return Long.parseLong(line);
    }

    /** Returns a free port such that ports so much higher are free, too; all are below those that the system gives clients. */
    public static int freePort(int... above) {
        int most = FIRST_OF_SYSTEM - Arrays.stream(above).max().orElse(0);
        for (int tries = 0; tries < PORT_TRIES; tries++) {
            int port = ThreadLocalRandom.current().nextInt(LEAST_PORT, most);
            if (isFree(port) && Arrays.stream(above).allMatch(higher -> isFree(port + higher))) {
                return port;
            }
        }
        throw new LabException(
                "no free port found whose higher ports are free too; they are higher by " + Arrays.toString(above));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns whether a process accepts connections at a port. */
    public static boolean listens(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Waits until it answers.
     *
     * @param why it does not, for the error
     * @throws LabException if it has ended, or does not answer for a minute
     */
    public void await(BooleanSupplier answers, Supplier<String> why) {
        long start = System.nanoTime();
        while (!answers.getAsBoolean()) {
            boolean isAlive = ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
            if (!isAlive || System.nanoTime() - start > TimeUnit.SECONDS.toNanos(START_SECONDS)) {
                close();
                throw new LabException(name + " does not answer: " + why.get());
            }
            Attempt.sleep(POLL_SECONDS, "wait for " + name);
        }
    }

    /** Returns its process id. */
    public long pid() {
        return pid;
    }

    /** Returns the last line of a log, for an error. */
    public static String lastWords(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            return lines.isEmpty() ? "it printed nothing" : lines.getLast();
        } catch (IOException e) {
            return "cannot read its log: " + e.getMessage();
        }
    }

    /** Ends it cleanly, and waits. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
        } catch (IOException e) {
            // the shell and the server have already ended
        }
        try {
            if (!shell.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                shell.descendants().forEach(ProcessHandle::destroyForcibly);
                shell.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
