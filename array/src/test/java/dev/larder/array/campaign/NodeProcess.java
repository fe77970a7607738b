package dev.larder.array.campaign;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of {@link NodeProgram}. */
final class NodeProcess implements AutoCloseable {

    private static final List<String> FLAGS = List.of(
            "-ea",
            "-Xmx160m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED",
            "--illegal-native-access=deny");

    private static final int END_MINUTES = 3;

    private final Process process;
    private final BufferedReader output;

    /** Starts a process. Does not wait until it serves. */
    NodeProcess(List<String> prefix, String classPath, Path log, List<String> arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(List.of("-cp", classPath, NodeProgram.class.getName()));
        command.addAll(arguments);
        try {
            process = new ProcessBuilder(command)
                    .redirectError(Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Returns the next line of its output; null at its end. */
    String line() {
        try {
            return output.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the process serves, and returns true. Returns false if it ends before. */
    boolean serves() {
        return "SERVES".equals(line());
    }

    /** Asks the process something. A process that has died gives an empty answer. */
    synchronized String ask(String question) {
        try {
            process.getOutputStream().write((question + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            String line = output.readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            return "";
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Kills the process at once ({@code kill -9}), stopped or not. */
    void kill() {
        process.destroyForcibly();
        await();
    }

    /** Tells the process to stop in order, so that its stores have all that it has applied. Does not wait. */
    void beginEnd() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the process has stopped. */
    void await() {
        try {
            if (!process.waitFor(END_MINUTES, TimeUnit.MINUTES)) {
                throw new IllegalStateException("process " + process.pid() + " does not end:\n" + threads());
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a dump of its threads. */
    private String threads() {
        return ThreadDump.of(process.pid());
    }

    /** Returns which of its Ratis threads wait for a lock, and which threads hold it. */
    String blocked() {
        try {
            return isAlive() ? ThreadDump.blocked(threads(), "org.apache.ratis") : "it has ended";
        } catch (IllegalStateException e) { // the run has found another error, which it must report
            return e.toString();
        }
    }

    /** Sends the process a signal. */
    void signal(String name) {
        Programs.run(List.of("kill", "-" + name, Long.toString(process.pid())));
    }

    @Override
    public void close() {
        kill();
    }
}
