package dev.larder.lab.machine;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file with the kernel's figures of processes and the machine, such as in {@code /proc}. */
public final class SystemFile {

    /** How Java makes bytes of the characters of a name. */
    private static final Charset NAMES =
            Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"), StandardCharsets.UTF_8);

    private SystemFile() {}

    /** Returns its lines; none if it is missing or unreadable. */
    public static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }

    /**
     * Returns a path as a line of {@code /proc/PID/maps} names it, for lines read as ISO 8859-1: a name there is bytes, and may
     * have some that are not text.
     */
    static String name(Path path) {
        return new String(path.toString().getBytes(NAMES), StandardCharsets.ISO_8859_1).replace("\n", "\\012");
    }

    /** Returns the bytes of a line {@code name: 12 kB}; null if there is none. */
    public static @Nullable Long kibibytes(Path file, String name) {
        return kibibytes(lines(file), name);
    }

    static @Nullable Long kibibytes(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.replaceAll("\\D", ""))
                .map(number -> Long.parseLong(number) << 10)
                .findFirst()
                .orElse(null);
    }
}
