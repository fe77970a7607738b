package dev.larder.server.config;

import dev.larder.memory.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Writes values into the configuration file from which the server was started. Comments, the order of lines, and lines whose
 * value is still the same stay as they are. Values that the file does not name are added at its end.
 */
public final class ConfigurationRewriter {

    private static final String ADDED = "# Added by CONFIG REWRITE";

    private final Path file;
    private final Settings settings;
    private final List<String> users;
    private final Settings inFile = new Settings();
    private final Set<String> written = new HashSet<>();
    private final List<String> lines = new ArrayList<>();

    private ConfigurationRewriter(Path file, Settings settings, List<String> users) {
        this.file = file;
        this.settings = settings;
        this.users = users;
    }

    /**
     * Rewrites a file. It is replaced as a whole: after a crash it is the former file, or the new one.
     *
     * @param users returns the lines that define the users
     * @throws StorageException if the file cannot be read or written
     */
    public static synchronized void rewrite(Path file, Settings settings, Supplier<List<String>> users) {
        ConfigurationRewriter rewriter = new ConfigurationRewriter(file, settings, users.get());
        Directives.apply(Directives.read(file), rewriter.inFile);
        int number = 0;
        for (String line : Directives.lines(file)) {
            rewriter.take(line, ++number);
        }
        rewriter.addMissing();
        replace(file, rewriter.lines);
    }

    private void take(String line, int number) {
        if (Directives.isComment(line)) {
            lines.add(line);
            return;
        }
        String name = Directives.split(file, number, line).getFirst().toLowerCase(Locale.ROOT);
        Parameter parameter = Parameters.find(name);
        if (name.equals("user")) {
            addUsers();
        } else if (parameter == null || isUnchanged(parameter)) {
            written.add(parameter == null ? name : parameter.name());
            lines.add(line);
        } else if (written.add(parameter.name())) {
            lines.addAll(Directives.lines(name, settings.text(parameter.name())));
        }
    }

    private boolean isUnchanged(Parameter parameter) {
        return settings.text(parameter.name()).equals(inFile.text(parameter.name()));
    }

    private void addUsers() {
        if (written.add("user")) {
            users.stream().map(Directives::quotedWords).forEach(lines::add);
        }
    }

    private void addMissing() {
        int before = lines.size();
        for (Parameter parameter : Parameters.list()) {
            if (!isUnchanged(parameter) && written.add(parameter.name())) {
                lines.addAll(Directives.lines(parameter.name(), settings.text(parameter.name())));
            }
        }
        addUsers();
        if (lines.size() > before && !lines.subList(0, before).contains(ADDED)) {
            lines.add(before, ADDED);
        }
    }

    /**
     * Replaces a file by one of other lines, in one step, with the same permissions. Other threads wait: an earlier state must
     * not replace a later one.
     */
    public static synchronized void replace(Path file, Supplier<List<String>> lines) {
        replace(file, lines.get());
    }

    private static void replace(Path file, List<String> contents) {
        Path absolute = file.toAbsolutePath();
        Path made = absolute.resolveSibling(
                absolute.getFileName() + ".tmp-" + ProcessHandle.current().pid());
        try {
            try (FileChannel channel = FileChannel.open(
                    made, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                keepPermissions(absolute, made);
                ByteBuffer bytes =
                        ByteBuffer.wrap((String.join("\n", contents) + "\n").getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(made, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new StorageException(file + ": cannot be replaced: " + e, e);
        } finally {
            deleteQuietly(made);
        }
    }

    private static void keepPermissions(Path from, Path to) throws IOException {
        PosixFileAttributeView source = Files.getFileAttributeView(from, PosixFileAttributeView.class);
        PosixFileAttributeView target = Files.getFileAttributeView(to, PosixFileAttributeView.class);
        if (source != null && target != null && Files.exists(from)) {
            target.setPermissions(source.readAttributes().permissions());
        }
    }

    private static void deleteQuietly(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // it is an unused copy
        }
    }
}
