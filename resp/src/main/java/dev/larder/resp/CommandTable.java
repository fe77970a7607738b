package dev.larder.resp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The table of commands, found by name in any case. It is read from {@code commands.txt} beside this class, a line for each:
 *
 * <pre>
 * name | arity | flags and @categories | keys | group | since | complexity | summary
 * </pre>
 *
 * <p>Categories that follow from flags are not in the file. The flags {@code write}, {@code readonly}, {@code admin},
 * {@code pubsub}, {@code blocking} and {@code fast} have one each. A command that is not fast is slow, and a command for
 * operators is dangerous. Immutable.
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public final class CommandTable {

    private static final String FILE = "commands.txt";
    private static final String NOT_OFFERED = "commands-not-offered.txt";
    private static final int FIELDS = 8;

    /** Slots for each name, so that a lookup mostly meets one. */
    private static final int SLOTS_PER_NAME = 4;

    private final Map<String, Command> commands;
    private final @Nullable Command[] slots;

    private CommandTable(Map<String, Command> commands) {
        this.commands = commands;
        this.slots = slots(commands.values().stream().toList());
    }

    /** Returns the commands that Larder's server knows. */
    public static CommandTable standard() {
        return Standard.TABLE;
    }

    /** Returns those commands, and the commands of Redis that the server does not offer: rules of users may name both. */
    public static CommandTable withNotOffered() {
        return WithNotOffered.TABLE;
    }

    private static final class Standard {
        static final CommandTable TABLE = of(lines(FILE));
    }

    private static final class WithNotOffered {
        static final CommandTable TABLE = standard().and(of(lines(NOT_OFFERED)));
    }

    private static List<String> lines(String name) {
        try (InputStream file = Objects.requireNonNull(CommandTable.class.getResourceAsStream(name), name);
                BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            return lines.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be read", e);
        }
    }

    private CommandTable and(CommandTable others) {
        Map<String, Command> all = new TreeMap<>(commands);
        all.putAll(others.commands);
        return new CommandTable(new LinkedHashMap<>(all));
    }

    /** Returns a table from lines; empty lines and those that begin with {@code #} are left out. */
    static CommandTable of(List<String> lines) {
        Map<String, Command> all = new TreeMap<>();
        Map<String, List<Command>> children = new TreeMap<>();
        for (String line : lines) {
            if (!line.isBlank() && !line.startsWith("#")) {
                Command command = command(line);
                int parent = command.name().indexOf('|');
                if (parent < 0) {
                    all.put(command.name(), command);
                } else {
                    children.computeIfAbsent(command.name().substring(0, parent), name -> new ArrayList<>())
                            .add(command);
                }
            }
        }
        children.forEach((name, some) -> all.compute(name, (key, parent) -> with(name, parent, some)));
        return new CommandTable(new LinkedHashMap<>(all));
    }

    private static Command command(String line) {
        String[] fields = line.split("\\s+\\|\\s+", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException(
                    FILE + ": " + fields.length + " fields, not " + FIELDS + ", in: " + line);
        }
        Set<CommandFlag> flags = EnumSet.noneOf(CommandFlag.class);
        Set<CommandCategory> categories = EnumSet.noneOf(CommandCategory.class);
        for (String word : fields[2].split(" ", -1)) {
            if (word.startsWith("@")) {
                categories.add(CommandCategory.of(word.substring(1)));
            } else if (!word.equals("-")) {
                flags.add(CommandFlag.of(word));
            }
        }
        addImplied(flags, categories);
        KeyPositions keys = fields[3].equals("-") ? KeyPositions.NONE : KeyPositions.of(fields[3]);
        return new Command(
                fields[0],
                Integer.parseInt(fields[1]),
                flags,
                categories,
                keys,
                fields[4],
                fields[5],
                fields[6],
                fields[7],
                List.of());
    }

    private static void addImplied(Set<CommandFlag> flags, Set<CommandCategory> categories) {
        Map.of(
                        CommandFlag.WRITE, CommandCategory.WRITE,
                        CommandFlag.READONLY, CommandCategory.READ,
                        CommandFlag.ADMIN, CommandCategory.ADMIN,
                        CommandFlag.PUBSUB, CommandCategory.PUBSUB,
                        CommandFlag.BLOCKING, CommandCategory.BLOCKING)
                .forEach((flag, category) -> {
                    if (flags.contains(flag)) {
                        categories.add(category);
                    }
                });
        categories.add(flags.contains(CommandFlag.FAST) ? CommandCategory.FAST : CommandCategory.SLOW);
        if (flags.contains(CommandFlag.ADMIN)) {
            categories.add(CommandCategory.DANGEROUS);
        }
    }

    private static Command with(String name, @Nullable Command parent, List<Command> children) {
        if (parent == null) {
            throw new IllegalArgumentException(FILE + ": subcommands of \"" + name + "\", which is no command");
        }
        return new Command(
                parent.name(),
                parent.arity(),
                parent.flags(),
                parent.categories(),
                parent.keys(),
                parent.group(),
                parent.since(),
                parent.complexity(),
                parent.summary(),
                List.copyOf(children));
    }

    private static @Nullable Command[] slots(List<Command> all) {
        @Nullable Command[] slots = new Command[Integer.highestOneBit(all.size() * SLOTS_PER_NAME)];
        for (Command command : all) {
            ByteBuffer name = ByteBuffer.wrap(command.name().getBytes(StandardCharsets.US_ASCII));
            int slot = hash(name, 0, name.limit()) & slots.length - 1;
            while (slots[slot] != null) {
                slot = slot + 1 & slots.length - 1;
            }
            slots[slot] = command;
        }
        return slots;
    }

    /** FNV-1a of the letters in lower case; other bytes may become others, which the comparison tells apart. */
    private static int hash(ByteBuffer bytes, int offset, int length) {
        int hash = 0x811C9DC5;
        for (int i = offset; i < offset + length; i++) {
            hash = (hash ^ (bytes.get(i) | 0x20)) * 0x01000193;
        }
        return hash ^ hash >>> 15;
    }

    /** Returns the command that a request names, without its subcommand; null if there is none. */
    public @Nullable Command find(Request request) {
        int slot = hash(request.buffer(), request.offset(0), request.length(0)) & slots.length - 1;
        Command command = slots[slot];
        while (command != null && !request.is(0, command.name())) {
            slot = slot + 1 & slots.length - 1;
            command = slots[slot];
        }
        return command;
    }

    /** Returns the subcommand that a request names; null if there is none. */
    public @Nullable Command findSubcommand(Command command, Request request) {
        if (request.count() > 1) {
            for (Command child : command.subcommands()) {
                if (request.is(1, child.shortName())) {
                    return child;
                }
            }
        }
        return null;
    }

    /** Returns the command that a request names, or its subcommand if the request names one; null if there is none. */
    public @Nullable Command findMeant(Request request) {
        Command command = find(request);
        return command == null || command.subcommands().isEmpty() || request.count() == 1
                ? command
                : findSubcommand(command, request);
    }

    /** Returns a command by its name in lower case; a subcommand is {@code parent|name}. Null if there is none. */
    public @Nullable Command find(String name) {
        int parent = name.indexOf('|');
        Command command = commands.get(parent < 0 ? name : name.substring(0, parent));
        if (parent < 0 || command == null) {
            return command;
        }
        return command.subcommands().stream()
                .filter(child -> child.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Returns the commands, in the order of their names. */
    public List<Command> all() {
        return List.copyOf(commands.values());
    }

    /** Returns the error for a request whose command is unknown: its name and the first arguments, cut as Redis cuts them. */
    public static String unknownCommand(Request request) {
        StringBuilder text = new StringBuilder("ERR unknown command '")
                .append(request.text(0, Command.TEXT_MAX_BYTES))
                .append("', with args beginning with: ");
        int room = Command.TEXT_MAX_BYTES;
        for (int i = 1; i < request.count() && room > 0; i++) {
            String argument = "'" + request.text(i, room) + "' ";
            text.append(argument);
            room -= ByteText.bytes(argument).length;
        }
        return text.toString();
    }
}
