package dev.larder.lab.process;

import dev.larder.cli.Figures;
import dev.larder.lab.result.LabException;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The child's side of a {@link ChildProcess}: reads questions until its standard input ends, answers each. */
public final class ChildLoop {

    private final Map<String, Command> commands = new LinkedHashMap<>();
    private volatile boolean isAsked;

    /** The handler of a question. */
    @FunctionalInterface
    public interface Command {

        /** Returns the answer; reports exceptions to the parent. */
        Figures answer(Figures question) throws Exception;
    }

    /** A loop that answers {@code facts} with its JVM's facts, and {@code clock} with its {@code nanos}. */
    public ChildLoop() {
        commands.put("facts", arguments -> JavaProcess.facts());
        commands.put("clock", arguments -> new Figures().put("nanos", System.nanoTime()));
    }

    /** Adds a command. It runs on the calling thread of {@link #serve}, one at a time. */
    public ChildLoop on(String command, Command answer) {
        commands.put(command, answer);
        return this;
    }

    /**
     * Serves until the standard input ends. Then no process waits for an answer, so this one ends at once even while it works
     * on one. {@code System.out} is redirected to the error stream: the real one is for answers.
     */
    public void serve() throws IOException {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        BlockingQueue<String> questions = new LinkedBlockingQueue<>();
        Thread.ofPlatform().daemon().name("questions").start(() -> read(questions));
        try {
            for (String line = questions.take(); !line.isEmpty(); line = questions.take()) {
                String answer = answer(Figures.parse(line)).toJson();
                isAsked = false;
                answers.println(answer);
            }
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted while it waited for a question");
        }
    }

    private void read(BlockingQueue<String> questions) {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                isAsked = true;
                questions.add(line);
            }
        } catch (IOException e) {
            e.printStackTrace(System.err); // like its end
        }
        if (isAsked) {
            Runtime.getRuntime().halt(1);
        }
        questions.add("");
    }

    private Figures answer(Figures question) {
        String name = question.text("do");
        try {
            Command command = commands.get(name);
            if (command == null) {
                throw new LabException("unknown command '" + name + "'");
            }
            return command.answer(question);
        } catch (Exception | Error e) { // reported to the parent, which decides
            e.printStackTrace(System.err);
            boolean isSaid = e instanceof RuntimeException && e.getMessage() != null;
            return new Figures().put("error", isSaid ? e.getMessage() : e.toString());
        }
    }
}
