package dev.larder.tests.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The end of the build: prints the tests of all modules that ran in no pass, each with its reason. */
public final class SkippedChecksReport {
    private SkippedChecksReport() {}

    /** Prints the list. Arguments: the root of the build, and the build directory of a module relative to the module. */
    public static void main(String[] arguments) throws IOException {
        List<String> lines = lines(Path.of(arguments[0]), arguments[1]);
        System.out.println(lines.isEmpty() ? "This machine ran every check." : "This machine did not run:");
        lines.forEach(System.out::println);
    }

    /** Returns the lines of all modules below a root, each with the name of its module. */
    static List<String> lines(Path root, String build) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path module : modules(root)) {
            for (String line : ranInNoPass(module.resolve(build).resolve("skipped-checks"))) {
                lines.add(root.relativize(module) + ": " + line);
            }
        }
        return lines;
    }

    /** Returns the folders below the root, and those below them. */
    private static List<Path> modules(Path root) throws IOException {
        List<Path> modules = new ArrayList<>();
        for (Path folder : children(root)) {
            modules.add(folder);
            modules.addAll(children(folder));
        }
        return modules;
    }

    /** Returns the lines of tests that every pass of one module skipped. */
    private static Set<String> ranInNoPass(Path directory) throws IOException {
        TreeMap<String, Set<String>> linesByPass = new TreeMap<>();
        for (Path file : children(directory)) {
            linesByPass
                    .computeIfAbsent(String.valueOf(file.getFileName()).split("\\.", 2)[0], pass -> new TreeSet<>())
                    .addAll(Files.readAllLines(file));
        }
        Set<String> common = new TreeSet<>();
        linesByPass.values().stream().findFirst().ifPresent(common::addAll);
        linesByPass.values().forEach(common::retainAll);
        return common;
    }

    private static List<Path> children(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }
}
