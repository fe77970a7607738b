package dev.larder.server.config;

import dev.larder.memory.StorageException;
import dev.larder.resp.ProtocolException;
import dev.larder.resp.Request;
import dev.larder.resp.RequestLimits;
import dev.larder.resp.RequestParser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The lines of a configuration file, in the syntax of {@code redis.conf}:
 *
 * <pre>
 * # a comment
 * maxclients 100
 * requirepass "a password with \x41 and blanks"
 * user alice on &gt;secret ~* +get
 * include other.conf
 * </pre>
 */
public final class Directives {

    /** The parameters that take several words. */
    private static final Set<String> OF_SEVERAL_WORDS = Set.of(
            "bind",
            "save",
            "client-output-buffer-limit",
            "latency-tracking-info-percentiles",
            "oom-score-adj-values",
            "replicaof",
            "slaveof");

    /** The parameters that name files which the server reads. */
    private static final Set<String> FILES = Set.of("aclfile", "tls-cert-file", "tls-key-file", "tls-ca-cert-file");

    private static final int INCLUDES_MAX = 16;

    /**
     * A line with its words.
     *
     * @param file where it is
     * @param number its number, from 1
     * @param text the line
     * @param words its words, unpacked; the first is the name
     */
    public record Directive(Path file, int number, String text, List<String> words) {

        /** Returns the name of the parameter, in lower case. */
        public String name() {
            return words.getFirst().toLowerCase(Locale.ROOT);
        }

        SettingException error(String reason) {
            return new SettingException(name(), file + ", line " + number + ": '" + text.trim() + "': " + reason);
        }
    }

    private Directives() {}

    /**
     * Reads a file, and those that it includes in their place.
     *
     * @throws SettingException if a line cannot be split into words
     * @throws StorageException if a file cannot be read
     */
    public static List<Directive> read(Path file) {
        List<Directive> all = new ArrayList<>();
        read(file, all, 0);
        return all;
    }

    private static void read(Path file, List<Directive> all, int depth) {
        int number = 0;
        for (String line : lines(file)) {
            number++;
            if (isComment(line)) {
                continue;
            }
            Directive directive = new Directive(file, number, line, split(file, number, line));
            if (!directive.name().equals("include")) {
                all.add(directive);
            } else if (depth == INCLUDES_MAX || directive.words().size() != 2) {
                throw directive.error("wrong number of arguments, or files that include each other");
            } else {
                read(file.resolveSibling(directive.words().get(1)), all, depth + 1);
            }
        }
    }

    static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new StorageException(file + ": cannot be read: " + e, e);
        }
    }

    static boolean isComment(String line) {
        return line.isBlank() || line.trim().startsWith("#");
    }

    static List<String> split(Path file, int number, String line) {
        try {
            return words(line);
        } catch (ProtocolException e) {
            throw new SettingException(file + ", line " + number + ": '" + line.trim() + "': Unbalanced quotes");
        } catch (SettingException e) {
            throw new SettingException(file + ", line " + number + ": '" + line.trim() + "': " + e.reason());
        }
    }

    /**
     * Returns the words of a line, without quotes.
     *
     * @throws ProtocolException if a quote has no end
     * @throws SettingException if escapes make bytes that are not UTF-8
     */
    public static List<String> words(String line) throws ProtocolException {
        Request request = new Request();
        byte[] bytes = (" " + line.trim() + "\n").getBytes(StandardCharsets.UTF_8); // a line never begins with *
        new RequestParser(RequestLimits.defaults()).parse(ByteBuffer.wrap(bytes), request);
        List<String> words = new ArrayList<>();
        for (int i = 0; i < request.count(); i++) {
            if (!request.isText(i)) {
                throw new SettingException("word " + (i + 1) + ": its bytes must be UTF-8");
            }
            words.add(request.text(i));
        }
        return words;
    }

    /**
     * Sets parameters as the lines say. Returns the words behind {@code user}, of each such line.
     *
     * @throws SettingException if a parameter is unknown, or a value does not fit
     */
    public static List<List<String>> apply(List<Directive> directives, Settings settings) {
        List<List<String>> users = new ArrayList<>();
        Set<String> begun = new HashSet<>();
        for (Directive directive : directives) {
            List<String> words = directive.words();
            if (directive.name().equals("user")) {
                users.add(words.subList(1, words.size()));
            } else {
                apply(directive, settings, begun.add(directive.name()));
            }
        }
        FILES.stream().filter(begun::contains).forEach(name -> resolve(name, settings));
        return users;
    }

    /** Redis works in {@code dir}, so the names of files in its configuration are relative to that. */
    private static void resolve(String name, Settings settings) {
        if (!settings.text(name).isEmpty()) {
            settings.start(
                    name,
                    Path.of(settings.text("dir")).resolve(settings.text(name)).toString());
        }
    }

    private static void apply(Directive directive, Settings settings, boolean first) {
        List<String> values = directive.words().subList(1, directive.words().size());
        String name = directive.name();
        boolean none = values.isEmpty() && name.equals("save"); // as CONFIG REWRITE of Redis may leave it
        boolean fits = none || values.size() == 1 || (values.size() > 1 && OF_SEVERAL_WORDS.contains(name));
        if (Parameters.find(name) == null || !fits) {
            throw directive.error("Bad directive or wrong number of arguments");
        }
        String value = String.join(" ", values);
        if (name.equals("save") && !first && !value.isBlank()) {
            value = settings.text(name) + " " + value; // such lines add up
        }
        try {
            settings.start(name, value);
        } catch (SettingException e) {
            throw directive.error(e.reason());
        }
    }

    /** Returns a line that sets a parameter to a value. */
    static List<String> lines(String name, String value) {
        if (name.equals("client-output-buffer-limit")) {
            List<String> lines = new ArrayList<>();
            String[] words = value.split(" ", -1);
            for (int i = 0; i + 3 < words.length; i += 4) {
                lines.add(name + " " + String.join(" ", List.of(words).subList(i, i + 4)));
            }
            return lines;
        }
        boolean several = OF_SEVERAL_WORDS.contains(name) && !value.isEmpty();
        String written = several
                ? ValueTypes.words(value).stream().map(Directives::quoted).collect(Collectors.joining(" "))
                : quoted(value);
        return List.of(name + " " + written);
    }

    /** Returns a line of words as {@link #words} reads it: each word that it would change is in quotes. */
    static String quotedWords(String line) {
        return Stream.of(line.split(" ", -1))
                .map(word -> isPlain(word, "\"'\\") ? word : inQuotes(word)) // only a comment begins with #
                .collect(Collectors.joining(" "));
    }

    /** Returns a value as one word. */
    private static String quoted(String value) {
        return isPlain(value, "\"'\\#") ? value : inQuotes(value);
    }

    private static boolean isPlain(String value, String special) {
        return !value.isEmpty() && value.chars().allMatch(c -> c > ' ' && c < 0x7F && special.indexOf(c) < 0);
    }

    private static String inQuotes(String value) {
        StringBuilder text = new StringBuilder("\"");
        for (byte one : value.getBytes(StandardCharsets.UTF_8)) {
            if (one == '"' || one == '\\') {
                text.append('\\').append((char) one);
            } else if (one >= ' ' && one < 0x7F) {
                text.append((char) one);
            } else {
                text.append(String.format(Locale.ROOT, "\\x%02x", one & 0xFF));
            }
        }
        return text.append('"').toString();
    }
}
