package dev.larder.server.access;

import dev.larder.memory.StorageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A file of users: a line {@code user NAME RULES} for each. Empty lines and those that begin with {@code #} are left out. */
public final class UserFile {

    private static final String NO_CHANGE =
            "WARNING: ACL errors detected, no change to the previously active ACL rules was performed";

    private final Path file;
    private final Map<String, Permissions> users = new LinkedHashMap<>();
    private final StringBuilder errors = new StringBuilder();

    private UserFile(Path file) {
        this.file = file;
    }

    /**
     * Replaces all users by those of a file.
     *
     * @throws RuleException with all that is wrong with the file; no user was changed
     */
    public static void load(Path file, Users users) {
        UserFile read = new UserFile(file);
        int number = 0;
        for (String line : lines(file)) {
            read.take(line.trim(), ++number, users);
        }
        if (!read.errors.isEmpty()) {
            throw new RuleException(read.errors + NO_CHANGE);
        }
        users.replaceAll(read.users);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new StorageException("Error loading ACLs, opening file '" + file + "': " + e, e);
        }
    }

    private void take(String line, int number, Users users) {
        if (line.isEmpty() || line.startsWith("#")) {
            return;
        }
        List<String> words = List.of(line.split("\\s+"));
        if (!words.getFirst().equals("user") || words.size() < 2) {
            add(number, "line should start with user keyword");
        } else if (put(words.get(1), words.subList(2, words.size()), number, users) != null) {
            errors.append("WARNING: Duplicate user '").append(words.get(1)).append("' found on line ");
            errors.append(number).append(". ");
        }
    }

    private @Nullable Permissions put(String name, List<String> rules, int number, Users users) {
        try {
            return this.users.put(name, users.made(rules));
        } catch (RuleException e) {
            add(number, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private void add(int number, String error) {
        errors.append(file)
                .append(':')
                .append(number)
                .append(": ")
                .append(error)
                .append(". ");
    }
}
