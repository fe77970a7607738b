package dev.larder.cli.shell;

import dev.larder.cli.Session;
import dev.larder.cli.Streams;
import dev.larder.memory.LarderException;
import java.io.IOException;
import java.io.InputStream;
import picocli.CommandLine.Option;

/** The options of every shell, and the run of its lines. */
public final class ShellOptions {

    /** The help of every shell. */
    public static final String HELP =
            "Each line is a command without DIRECTORY, as 'help' lists them. Words are split as in a shell of the"
                    + " system: quotes and \\ keep blanks. Blank lines, and lines that begin with #, are left out.";

    @Option(
            names = "--continue",
            description = "Continue after a line with an error. The exit code is that of the first error.")
    private boolean continues;

    /** Runs the lines of a session's input on the map or queue that the session has open. */
    public int run(String kind, Session session, Runnable sync, Object... commands) {
        Streams streams = session.streams();
        boolean interactive = streams.terminal();
        Streams within = new Streams(InputStream.nullInputStream(), streams.out(), streams.err(), interactive);
        CommandShell shell = new CommandShell(
                "larder " + kind + " shell", new Session(within, session.open()), interactive, continues, commands);
        Runnable settle = () -> {
            sync.run();
            streams.out().flush();
        };
        try (ShellInput input = interactive
                ? new TerminalShellInput(kind + "> ", shell.commands(), TerminalShellInput.historyFile(kind), settle)
                : new PlainShellInput(streams.in(), settle)) {
            return shell.run(input);
        } catch (IOException e) {
            throw new LarderException("cannot use the terminal: " + e.getMessage(), e);
        } finally {
            settle.run();
        }
    }
}
