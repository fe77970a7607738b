package dev.larder.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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
}
