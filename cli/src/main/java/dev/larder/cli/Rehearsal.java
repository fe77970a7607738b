package dev.larder.cli;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs short commands once, on its own map and queue, and prints nothing. The launcher records this run to make the JVM's AOT
 * cache: later commands find the classes loaded by this run ready.
 */
final class Rehearsal {

    /** Commands of a map's shell, and messages of a queue. */
    private static final byte[] LINES = "put one 1\nget one\n".getBytes(StandardCharsets.UTF_8);

    private static final List<String> COMMANDS = List.of(
            "--help",
            "map --help",
            "queue --help",
            "map create M",
            "map put M key value",
            "map put M other value --lifetime 1h",
            "map get M key",
            "map get M key --json",
            "map scan M",
            "map remove M other",
            "map info M",
            "map verify M",
            "map export M",
            "map shell M",
            "queue create Q",
            "queue append Q",
            "queue tail Q",
            "queue tail Q -n 1 --json",
            "queue info Q",
            "queue verify Q",
            "queue export Q",
            "queue tailers list Q");

    private Rehearsal() {}

    /**
     * Runs the commands below a directory.
     *
     * @param arguments the directory, which exists and is empty
     */
    public static void main(String[] arguments) {
        System.exit(run(Path.of(arguments[0])));
    }

    /** Returns the first exit code that is not 0, or 0. */
    static int run(Path directory) {
        for (String command : COMMANDS) {
            int code = larder(command, directory);
            if (code != ExitCode.OK) {
                return code;
            }
        }
        return ExitCode.OK;
    }

    private static int larder(String command, Path directory) {
        String remote = command.endsWith("--help") ? "" : " --allow-remote"; // a user's home may be on NFS
        String[] words = (command + remote).split(" ", -1);
        for (int at = 0; at < words.length; at++) {
            words[at] = words[at].equals("M") || words[at].equals("Q")
                    ? directory.resolve(words[at]).toString()
                    : words[at];
        }
        InputStream in = new ByteArrayInputStream(LINES);
        try (Answer out = new Answer(OutputStream.nullOutputStream());
                PrintStream err = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            return Larder.execute(new Streams(in, out, err, false), words);
        }
    }
}
