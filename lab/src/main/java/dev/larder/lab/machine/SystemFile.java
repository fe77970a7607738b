package dev.larder.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file in which the kernel tells about processes and the machine, such as one of {@code /proc}. */
public final class SystemFile {

    private SystemFile() {}

    /** Returns its lines; none where it is not there, or not for us. */
    public static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Returns the bytes that a line {@code name: 12 kB} tells; null where there is none. */
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
