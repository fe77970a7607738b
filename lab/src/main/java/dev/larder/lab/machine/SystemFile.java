package dev.larder.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file with the kernel's figures of processes and the machine, such as in {@code /proc}. */
public final class SystemFile {

    private SystemFile() {}

    /** Returns its lines; none if it is missing or unreadable. */
    public static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
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
