package dev.larder.cli.shell;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.cli.Session;
import dev.larder.cli.Streams;
import dev.larder.memory.LarderException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A shell that runs commands, one per line, on an open map or queue. They are the commands of the same names, without
 * DIRECTORY.
 *
 * <p>A line that cannot be understood or fails ends a script, with the exit code of that line. This does not apply if the shell
 * continues after errors, nor at a terminal. The answer no, as for a missing key, is not an error.
 */
final class CommandShell {

    /** The words that end a shell. */
    static final Set<String> ENDS = Set.of("exit", "quit");

    private final CommandLine commands;
    private final Streams streams;
    private final boolean interactive;
    private final boolean continues;
    private long line;

    /**
     * Creates a shell.
     *
     * @param name of the command that is this shell, for its help
     * @param session the session with the open map or queue
     * @param interactive whether the lines are typed at a terminal
     * @param continues whether the shell skips a line with an error and runs the next one
     * @param commands the objects of the commands
     */
    CommandShell(String name, Session session, boolean interactive, boolean continues, Object... commands) {
        this.streams = session.streams();
        this.interactive = interactive;
        this.continues = continues || interactive;
        CommandLine root = new CommandLine(
                CommandSpec.wrapWithoutInspection(new Larder(session)).name(name));
        for (Object command : commands) {
            root.addSubcommand(withoutDirectory(new CommandLine(command)));
        }
        root.addSubcommand(new CommandLine.HelpCommand());
        root.getCommandSpec()
                .usageMessage()
                .customSynopsis("A line is a command and its arguments. 'help put' explains one; exit, quit or the end"
                        + " of the input ends the shell.");
        this.commands = Larder.configured(root, streams)
                .setParameterExceptionHandler((error, words) -> Larder.usageError(error, place(), seeHelp(error)))
                .setExecutionExceptionHandler((error, command, parsed) -> Larder.error(error, command, place()));
    }

    /** Removes the directory parameter from a command and its subcommands, because the shell has the directory open. */
    private static CommandLine withoutDirectory(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        List<PositionalParamSpec> all = List.copyOf(spec.positionalParameters());
        boolean takesDirectory =
                all.stream().anyMatch(parameter -> parameter.paramLabel().equals(Larder.DIRECTORY));
        if (takesDirectory) {
            all.forEach(spec::remove);
            all.stream()
                    .filter(parameter -> !parameter.paramLabel().equals(Larder.DIRECTORY))
                    .forEach(parameter -> spec.addPositional(moved(parameter)));
            Optional.ofNullable(spec.findOption("--allow-remote")).ifPresent(spec::remove);
        }
        command.getSubcommands().values().forEach(CommandShell::withoutDirectory);
        return command;
    }

    private static PositionalParamSpec moved(PositionalParamSpec parameter) {
        return PositionalParamSpec.builder(parameter)
                .index(Integer.toString(parameter.index().min() - 1))
                .build();
    }

    CommandLine commands() {
        return commands;
    }

    private String place() {
        return interactive ? "" : "line " + line + ": ";
    }

    private static String seeHelp(CommandLine.ParameterException error) {
        CommandSpec spec = error.getCommandLine().getCommandSpec();
        return spec.parent() == null ? "help" : "help " + spec.name();
    }

    /**
     * Runs all lines, and returns the exit code of the first line that failed, or 0.
     *
     * @throws LarderException if the lines cannot be read, or the changes cannot be made durable; neither is an error of a line
     */
    int run(ShellInput input) {
        int first = ExitCode.OK;
        while (true) {
            int code = step(input);
            if (code < 0) {
                return first;
            }
            first = first == ExitCode.OK ? code : first;
            boolean unread = streams.out().failure().isPresent();
            if (unread || (code != ExitCode.OK && !continues)) {
                return first;
            }
        }
    }

    /** Runs the next line. Returns its exit code if that is an error, else 0; less than 0 at the end. */
    private int step(ShellInput input) {
        line++;
        Optional<String> next;
        try {
            next = input.next();
        } catch (CharacterCodingException e) {
            streams.err().println("larder: " + place() + "its bytes are not UTF-8");
            return ExitCode.ERROR;
        } catch (IOException e) {
            throw new LarderException("cannot read the commands: " + e.getMessage(), e);
        }
        return next.isEmpty() ? -1 : step(next.get());
    }

    private int step(String text) {
        try {
            List<String> words = ShellWords.of(text);
            if (words.size() == 1 && ENDS.contains(words.getFirst())) {
                return -1;
            }
            return words.isEmpty() ? ExitCode.OK : execute(words);
        } catch (IllegalArgumentException e) {
            streams.err().println("larder: " + place() + e.getMessage());
            return ExitCode.USAGE;
        } catch (LarderException e) {
            streams.err().println("larder: " + place() + e.getMessage());
            return ExitCode.ERROR;
        }
    }

    private int execute(List<String> words) {
        int code = commands.execute(words.toArray(String[]::new));
        return code == ExitCode.INVALID ? ExitCode.OK : code;
    }
}
