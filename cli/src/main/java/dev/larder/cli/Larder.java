package dev.larder.cli;

import dev.larder.memory.LarderException;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.module.ModuleDescriptor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code larder}. */
@Command(
        name = "larder",
        description = "Queues, maps and servers whose data lies outside the Java heap.",
        mixinStandardHelpOptions = true,
        versionProvider = Larder.Version.class,
        footer = ExitCode.HELP)
public final class Larder {

    /** The label of the parameter that names the directory of a map or a queue. */
    public static final String DIRECTORY = "DIRECTORY";

    /** The character that the JVM substitutes for bytes that are not a character. */
    private static final char REPLACEMENT = '\ufffd';

    private final Session session;

    public Larder(Session session) {
        this.session = session;
    }

    /** Runs the command, and ends the JVM with its exit code. */
    public static void main(String[] arguments) {
        System.exit(execute(Streams.ofProcess(), arguments));
    }

    /** Runs the command on streams, and returns its exit code. An answer that could not be written is an error. */
    public static int execute(Streams streams, String... arguments) {
        try {
            return run(streams, arguments);
        } catch (Throwable e) { // an Error, which picocli lets through: the JVM would exit with 1, which means "no"
            streams.err().println("larder: unexpected error: " + oneLine(e.toString()));
            if (!(e instanceof VirtualMachineError)) { // the trace of a full heap does not show what filled it
                e.printStackTrace(streams.err());
            }
            return ExitCode.ERROR;
        }
    }

    private static int run(Streams streams, String... arguments) {
        if (arguments.length == 0) {
            CommandLine larder = commandLine(streams);
            larder.usage(larder.getErr());
            return ExitCode.USAGE;
        }
        CommandLine larder = commandLine(streams, arguments[0]);
        Optional<String> lost = lostCharacters(arguments);
        if (lost.isPresent()) {
            streams.err().println("larder: " + lost.get());
            return ExitCode.USAGE;
        }
        int code = larder.execute(LeadingJson.moved(larder, arguments));
        Optional<IOException> failure = streams.out().failure();
        if (failure.isEmpty() || streams.out().isUnread() || code == ExitCode.ERROR) {
            return code;
        }
        streams.err()
                .println("larder: cannot write to the standard output: "
                        + oneLine(failure.get().getMessage()));
        return ExitCode.ERROR;
    }

    /**
     * Returns the error text for an argument with bytes that are not characters of the locale: the JVM replaces them by U+FFFD.
     * Two keys that differ only in such bytes would become equal.
     */
    private static Optional<String> lostCharacters(String... arguments) {
        return IntStream.range(0, arguments.length)
                .filter(at -> arguments[at].indexOf(REPLACEMENT) >= 0)
                .mapToObj(at -> "argument " + (at + 1) + ", '" + arguments[at]
                        + "', has bytes that are not characters of "
                        + System.getProperty("sun.jnu.encoding", "the locale")
                        + ": set LC_ALL=C.UTF-8 and write UTF-8, or give a key or value as hex")
                .findFirst();
    }

    /** Returns the command line with all commands. */
    static CommandLine commandLine(Streams streams) {
        CommandLine larder = bare(streams);
        addCommands(larder);
        return configured(larder, streams);
    }

    /** Returns the command line with only the command of the first word: describing all commands takes a tenth of a start. */
    private static CommandLine commandLine(Streams streams, String first) {
        Optional<CommandLine> command = ServiceLoader.load(CommandProvider.class).stream()
                .filter(provider -> isNamed(provider.type(), first))
                .findFirst()
                .map(provider -> provider.get().command());
        return command.isEmpty()
                ? commandLine(streams)
                : configured(bare(streams).addSubcommand(command.get()), streams);
    }

    private static CommandLine bare(Streams streams) {
        return new CommandLine(new Larder(new Session(streams)));
    }

    /** Returns whether a provider class is itself the command of that name. */
    private static boolean isNamed(Class<?> provider, String name) {
        Command command = provider.getAnnotation(Command.class);
        return command != null && command.name().equals(name);
    }

    /** Sets the streams, converters and error handlers that all command lines share. */
    public static CommandLine configured(CommandLine larder, Streams streams) {
        return larder.setOut(new PrintWriter(streams.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(streams.err(), true, StandardCharsets.UTF_8))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExpandAtFiles(false) // a key may begin with @
                .setUsageHelpAutoWidth(true)
                .registerConverter(ByteCount.class, converter(text -> new ByteCount(ByteSize.parse(text))))
                .registerConverter(ByteRate.class, converter(ByteRate::parse))
                .registerConverter(ItemCount.class, converter(text -> new ItemCount(Quantity.parse(text))))
                .registerConverter(Percent.class, converter(Percent::parse))
                .registerConverter(Duration.class, converter(TimeSpan::parse))
                .setParameterExceptionHandler((error, words) -> usageError(
                        error, "", error.getCommandLine().getCommandSpec().qualifiedName() + " --help"))
                .setExecutionExceptionHandler((error, command, parsed) -> error(error, command, ""));
    }

    /** Adds the commands of this module and of the other installed modules, by name. The help's own commands come last. */
    private static void addCommands(CommandLine larder) {
        Map<String, CommandLine> commands = new TreeMap<>(MissingCommand.all());
        for (CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
            CommandLine command = provider.command();
            commands.put(command.getCommandName(), command);
        }
        commands.forEach(larder::addSubcommand);
        larder.addSubcommand(new CompletionCommand()).addSubcommand(new CommandLine.HelpCommand());
    }

    /** Returns a converter of arguments. The text of its error is shown unchanged. */
    public static <T> CommandLine.ITypeConverter<T> converter(Function<String, T> parse) {
        return text -> {
            try {
                return parse.apply(text);
            } catch (IllegalArgumentException e) {
                throw new CommandLine.TypeConversionException(e.getMessage());
            }
        };
    }

    /** Returns the streams of the command to which a subcommand belongs. */
    public static Streams streams(CommandLine.Model.CommandSpec command) {
        return session(command).streams();
    }

    /** Returns the session that a command shares with the other commands of its run. */
    public static Session session(CommandLine.Model.CommandSpec command) {
        return ((Larder) command.root().userObject()).session;
    }

    /**
     * Reports that a command line cannot be understood.
     *
     * @param place the line of a script, followed by a colon; or empty
     * @param help the command that explains
     */
    public static int usageError(CommandLine.ParameterException error, String place, String help) {
        error.getCommandLine()
                .getErr()
                .println("larder: " + place
                        + UnknownCommand.of(error)
                                .map(UnknownCommand::message)
                                .orElseGet(() -> oneLine(error.getMessage()) + similarOptions(error))
                        + " (see " + help + ")");
        return ExitCode.USAGE;
    }

    private static String similarOptions(CommandLine.ParameterException error) {
        List<String> similar = error instanceof CommandLine.UnmatchedArgumentException unmatched
                ? unmatched.getSuggestions()
                : List.of();
        return similar.isEmpty() ? "" : "; did you mean " + String.join(" or ", similar) + "?";
    }

    /** Reports why a command failed. The place is as in {@link #usageError}. */
    public static int error(Exception error, CommandLine command, String place) {
        if (error instanceof LarderException) {
            command.getErr().println("larder: " + place + oneLine(error.getMessage()));
        } else {
            command.getErr().println("larder: " + place + "unexpected error: " + oneLine(error.toString()));
            error.printStackTrace(command.getErr());
        }
        return ExitCode.ERROR;
    }

    private static String oneLine(@Nullable String message) {
        return message == null ? "unknown reason" : message.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    /** The version of this class's module, or of its jar on a class path. */
    static final class Version implements CommandLine.IVersionProvider {

        @Override
        public String[] getVersion() {
            Optional<String> version = Optional.ofNullable(
                            Larder.class.getModule().getDescriptor())
                    .flatMap(ModuleDescriptor::rawVersion)
                    .or(() -> Optional.ofNullable(Larder.class.getPackage().getImplementationVersion()));
            return new String[] {"larder " + version.orElse("(development build)") + ", Java " + Runtime.version()};
        }
    }
}
