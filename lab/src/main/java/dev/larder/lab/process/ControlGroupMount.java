package dev.larder.lab.process;

import dev.larder.lab.machine.SystemFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The place of a process in a hierarchy of memory control groups.
 *
 * @param version 1 or 2
 * @param top the highest visible group
 * @param own the group of the process
 */
public record ControlGroupMount(int version, Path top, Path own) {

    /**
     * Finds the memory hierarchy from {@code /proc/self/mountinfo} and {@code /proc/self/cgroup}; empty where there
     * is none. A version 1 memory controller wins, since version 2 then has no memory files.
     *
     * @param processFiles {@code /proc/self}
     */
    public static Optional<ControlGroupMount> find(Path processFiles) {
        List<String> mounts = SystemFile.lines(processFiles.resolve("mountinfo"));
        List<String> groups = SystemFile.lines(processFiles.resolve("cgroup"));
        return mounts.stream()
                .filter(line -> fileSystem(line).startsWith("cgroup ")
                        && superOptions(line).contains("memory"))
                .findFirst()
                .flatMap(line -> at(
                        1,
                        line,
                        groups.stream()
                                .filter(group ->
                                        List.of(field(group, 1).split(",", -1)).contains("memory"))
                                .findFirst()))
                .or(() -> mounts.stream()
                        .filter(line -> fileSystem(line).startsWith("cgroup2 "))
                        .findFirst()
                        .flatMap(line -> at(
                                2,
                                line,
                                groups.stream()
                                        .filter(group -> group.startsWith("0::"))
                                        .findFirst())))
                .filter(mount -> mount.version == 1 || Files.exists(mount.top.resolve("cgroup.controllers")));
    }

    private static Optional<ControlGroupMount> at(int version, String mount, Optional<String> group) {
        String[] fields = mount.split(" ", -1);
        Path root = Path.of(fields[3]);
        Path top = Path.of(fields[4]);
        return group.map(line -> Path.of(field(line, 2)))
                .map(path -> new ControlGroupMount(version, top, below(top, root, path)));
    }

    /** The mounted part of the hierarchy begins at {@code root}; paths outside of it are invisible. */
    private static Path below(Path top, Path root, Path path) {
        Path own = path.startsWith(root) ? top.resolve(root.relativize(path)).normalize() : top;
        return own.startsWith(top) && Files.isDirectory(own) ? own : top;
    }

    private static String fileSystem(String mount) {
        int dash = mount.indexOf(" - ");
        return dash < 0 ? "" : mount.substring(dash + 3);
    }

    private static List<String> superOptions(String mount) {
        String tail = fileSystem(mount);
        return List.of(tail.substring(tail.lastIndexOf(' ') + 1).split(",", -1));
    }

    /** Returns the n-th of three fields between colons; the last may contain colons. */
    private static String field(String group, int index) {
        String[] fields = group.split(":", 3);
        return fields.length == 3 ? fields[index] : "";
    }
}
