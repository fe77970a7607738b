package dev.larder.array.ratis;

import dev.larder.memory.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A file of a member's log, as Ratis names it: {@code log_901-2000}, or {@code log_inprogress_2001} while it is written.
 *
 * @param file the file
 * @param first its first entry
 * @param last its last entry; {@link #OPEN_END} while it is being written
 * @param sizeBytes its length in bytes
 */
record LogPart(Path file, long first, long last, long sizeBytes) {

    static final long OPEN_END = Long.MAX_VALUE - 2;

    private static final Pattern CLOSED = Pattern.compile("log_(\\d+)-(\\d+)");
    private static final String OPEN_NAME = "log_inprogress_";
    private static final Pattern OPEN = Pattern.compile(OPEN_NAME + "(\\d+)");

    boolean isOpen() {
        return last == OPEN_END;
    }

    /** Returns the folder of the log. */
    Path folder() {
        return Objects.requireNonNull(file.getParent());
    }

    /** Returns the name that this file has when more entries are written to it. */
    Path asOpen() {
        return file.resolveSibling(OPEN_NAME + first);
    }

    /** Returns the parts of a member's log in their order; none if it has no folder. */
    static List<LogPart> of(Path directory, UUID stripe) {
        Path folder = directory.resolve(stripe.toString()).resolve("current");
        List<LogPart> parts = new ArrayList<>();
        if (!Files.isDirectory(folder)) {
            return parts; // this is reported when the member starts
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                add(parts, file);
            }
        } catch (IOException e) {
            throw new StorageException(folder + " cannot be read: " + e, e);
        }
        parts.sort(Comparator.comparingLong(LogPart::first));
        return parts;
    }

    private static void add(List<LogPart> parts, Path file) throws IOException {
        String name = file.getFileName().toString();
        Matcher closed = CLOSED.matcher(name);
        Matcher open = OPEN.matcher(name);
        try {
            if (closed.matches()) {
                parts.add(new LogPart(
                        file, Long.parseLong(closed.group(1)), Long.parseLong(closed.group(2)), Files.size(file)));
            } else if (open.matches()) {
                parts.add(new LogPart(file, Long.parseLong(open.group(1)), OPEN_END, Files.size(file)));
            }
        } catch (NoSuchFileException e) { // it has just been renamed as it was closed, or was dropped
            System.getLogger("dev.larder.array").log(System.Logger.Level.DEBUG, file + " has gone", e);
        }
    }
}
