package dev.larder.tests.support;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Programs of the system that tests use, such as {@code mkfs.ext4}. They are searched on the path, and in the administrator's
 * folders, which the path of a plain user may lack.
 */
public final class SystemPrograms {

    private SystemPrograms() {}

    /** Returns the path of a program; empty if it is not installed. */
    public static Optional<Path> find(String name) {
        return Stream.concat(
                        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)),
                        Stream.of("/usr/sbin", "/sbin", "/usr/bin", "/bin"))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Returns whether all of some programs are installed. */
    public static boolean exist(String... names) {
        return Stream.of(names).allMatch(name -> find(name).isPresent());
    }

    /** Returns a command with the path of its program, if that is found; otherwise the command as it is. */
    public static List<String> located(List<String> command) {
        List<String> located = new ArrayList<>(command);
        find(command.getFirst()).ifPresent(program -> located.set(0, program.toString()));
        return located;
    }
}
