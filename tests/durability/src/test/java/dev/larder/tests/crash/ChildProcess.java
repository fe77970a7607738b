package dev.larder.tests.crash;

import dev.larder.codec.ValueCodec;
import dev.larder.log.Log;
import dev.larder.map.LarderMap;
import dev.larder.memory.Storage;
import dev.larder.queue.LarderQueue;
import dev.larder.tests.support.ChildProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A JVM of its own that runs one of our programs on the class path, with its lines of output and signals to it. */
public final class ChildProcess implements AutoCloseable {

    private static final String END = "END";
    private static final long END_SECONDS = 120;
    private static final List<String> QUICK = List.of("-XX:TieredStopAtLevel=1");

    private final Process process;
    private final Path errors;
    private final OutputStream input;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private ChildProcess(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.input = process.getOutputStream();
        Thread.ofVirtual().start(this::readLines);
    }

    /** Starts a program; its standard error goes to a file. */
    public static ChildProcess start(Class<?> program, Path errors, List<String> prefix, String... arguments) {
        return start(program, errors, prefix, QUICK, arguments);
    }

    /** Starts a program with flags of its own. */
    public static ChildProcess start(
            Class<?> program, Path errors, List<String> prefix, List<String> flags, String... arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(command(program, flags, arguments));
        try {
            return new ChildProcess(
                    new ProcessBuilder(command)
                            .redirectError(Redirect.appendTo(errors.toFile()))
                            .start(),
                    errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the command that runs a program in its own JVM, which starts fast. */
    public static List<String> command(Class<?> program, String... arguments) {
        return command(program, QUICK, arguments);
    }

    private static List<String> command(Class<?> program, List<String> flags, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags());
        command.addAll(flags);
        command.add("-cp");
        command.add(classPath());
        command.add(ChildProgram.class.getName());
        command.add(program.getName());
        command.addAll(Arrays.asList(arguments));
        return command;
    }

    private static List<String> flags() {
        return List.of(
                "-ea",
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "--illegal-native-access=deny",
                "--sun-misc-unsafe-memory-access=deny");
    }

    private static String classPath() {
        return Stream.of(
                        Storage.class,
                        ValueCodec.class,
                        Log.class,
                        LarderMap.class,
                        LarderQueue.class,
                        QueueWriter.class,
                        ChildProgram.class)
                .map(ChildProcess::place)
                .collect(Collectors.joining(System.getProperty("path.separator")));
    }

    private static String place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private void readLines() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("ERROR " + e);
        }
        lines.add(END);
    }

    /** Returns the next line; empty if none comes in time. */
    public String lineOrEmpty(long seconds) {
        try {
            String line = lines.poll(seconds, TimeUnit.SECONDS);
            return line == null ? "" : line;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the next line; fails if none comes in time, or if it is an error. {@code END} if the process ended. */
    public String line(long seconds) {
        try {
            String line = lines.poll(seconds, TimeUnit.SECONDS);
            if (line == null || line.startsWith("ERROR")) {
                throw unexpected(line, "a line within " + seconds + " s");
            }
            return line;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the next line; fails as {@link #line} does, and also if the process has ended without one. */
    public String answer(long seconds) {
        String line = line(seconds);
        if (line.equals(END)) {
            throw unexpected(line, "a line");
        }
        return line;
    }

    private AssertionError unexpected(@Nullable String line, String expected) {
        return new AssertionError("process " + process.pid() + " said '" + line + "', expected " + expected
                + "; its standard error: " + standardError());
    }

    /** Returns what the program has written to its file of errors so far, behind what others wrote there before. */
    public String standardError() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            return "cannot be read: " + e;
        }
    }

    /** Waits for a line. */
    public void expect(String expected, long seconds) {
        String line = line(seconds);
        if (!line.equals(expected)) {
            throw unexpected(line, "'" + expected + "'");
        }
    }

    /** Sends a line to the process; a dead process does not get it. */
    public void say(String line) {
        try {
            input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException e) {
            if (process.isAlive()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Closes the input of the process. */
    public void endOfInput() {
        try {
            input.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a signal, {@code STOP} or {@code CONT}, to this very process. */
    public void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new AssertionError("kill -" + name + " of process " + process.pid() + " failed: " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Kills the process with SIGKILL, without waiting. */
    public void kill() {
        process.destroyForcibly();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /** Returns the exit code, once the process has ended. */
    public int exitCode(long seconds) {
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                throw new AssertionError("process " + process.pid() + " did not end within " + seconds + " s");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        exitCode(END_SECONDS);
    }
}
