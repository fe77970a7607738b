package dev.larder.server.session;

import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The reply to {@code HELP} of a command with subcommands, in the form that Redis gives it. The lines are in {@code help.txt}. */
public final class HelpText {

    private static final String FILE = "help.txt";
    private static final String INDENTATION = "    ";

    /** An entry of the file: the line of a subcommand, and those about it. */
    private record Entry(String syntax, List<String> lines) {

        /** Returns the name of the subcommand in lower case; empty for the command without one. */
        String name() {
            return syntax.startsWith("(") ? "" : syntax.split(" ", 2)[0].toLowerCase(Locale.ROOT);
        }
    }

    /** The file is read when a client asks for help. */
    private static final class All {
        static final Map<String, List<Entry>> BY_COMMAND = read();
    }

    private HelpText() {}

    private static Map<String, List<Entry>> read() {
        try (InputStream file = Objects.requireNonNull(HelpText.class.getResourceAsStream(FILE), FILE);
                BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            return parse(lines.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(FILE + " cannot be read", e);
        }
    }

    private static Map<String, List<Entry>> parse(List<String> lines) {
        Map<String, List<Entry>> all = new HashMap<>();
        List<Entry> entries = List.of();
        for (String line : lines) {
            if (line.startsWith("[")) {
                entries = new ArrayList<>();
                all.put(line.substring(1, line.length() - 1), entries);
            } else if (line.startsWith(INDENTATION)) {
                entries.getLast().lines().add(line);
            } else {
                entries.add(new Entry(line, new ArrayList<>()));
            }
        }
        return all;
    }

    /**
     * Writes the reply.
     *
     * @param command the command, in lower case
     * @param summaries returns what a subcommand does: a sentence, or nothing if the file alone tells it; null if the server
     *     does not offer the subcommand
     */
    @SuppressWarnings("exports") // callers do not need the nullness annotations
    public static void write(ReplyEncoder reply, String command, Function<String, @Nullable String> summaries) {
        List<String> lines = new ArrayList<>();
        lines.add(command.toUpperCase(Locale.ROOT) + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
        for (Entry entry : All.BY_COMMAND.getOrDefault(command, List.of())) {
            String summary = entry.name().isEmpty() ? "" : summaries.apply(entry.name());
            if (summary != null) {
                add(lines, entry, summary);
            }
        }
        lines.add("HELP");
        lines.add(INDENTATION + "Prints this help.");
        reply.array(lines.size());
        lines.forEach(reply::status);
    }

    /** Adds an entry. Its further lines of syntax, which are indented deeper, come before the summary. */
    private static void add(List<String> lines, Entry entry, String summary) {
        lines.add(entry.syntax());
        List<String> rest = new ArrayList<>(entry.lines());
        while (!rest.isEmpty() && rest.getFirst().startsWith(INDENTATION + INDENTATION)) {
            lines.add(rest.removeFirst());
        }
        if (!summary.isEmpty()) {
            lines.add(INDENTATION + summary);
        }
        lines.addAll(rest);
    }

    /** Returns the error for a wrong number of a subcommand's arguments that its arity does not show. */
    static ReplyException wrongArguments(String container, String subcommand) {
        return new ReplyException("ERR unknown subcommand or wrong number of arguments for '" + subcommand + "'. Try "
                + container + " HELP.");
    }
}
