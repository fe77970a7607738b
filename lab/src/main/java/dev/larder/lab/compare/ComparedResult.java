package dev.larder.lab.compare;

import dev.larder.cli.Figures;
import dev.larder.lab.result.LabException;
import dev.larder.lab.result.Verdict;
import dev.larder.memory.LarderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of one folder.
 *
 * @param name short, and not that of another compared folder
 * @param result what {@code result.json} says
 */
record ComparedResult(String name, Figures result) {

    /** Reads the results of folders; where two folders have the same name, their parents' tell them apart. */
    static List<ComparedResult> read(List<Path> folders) {
        List<String> names = names(folders);
        List<ComparedResult> results = new ArrayList<>();
        for (int index = 0; index < folders.size(); index++) {
            results.add(new ComparedResult(names.get(index), read(folders.get(index))));
        }
        return results;
    }

    private static Figures read(Path folder) {
        Path file = folder.resolve("result.json");
        try {
            return Figures.parse(Files.readString(file));
        } catch (NoSuchFileException e) {
            throw new LabException(folder + " is no result folder: it has no result.json", e);
        } catch (IOException | LarderException e) {
            throw new LabException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static List<String> names(List<Path> folders) {
        for (int depth = 1; depth <= 3; depth++) {
            int parts = depth;
            List<String> names =
                    folders.stream().map(folder -> lastParts(folder, parts)).toList();
            if (names.stream().distinct().count() == names.size()) {
                return names;
            }
        }
        return numbered(folders);
    }

    private static String lastParts(Path folder, int parts) {
        Path whole = folder.toAbsolutePath().normalize();
        int count = whole.getNameCount();
        return count == 0
                ? "/"
                : whole.subpath(Math.max(0, count - parts), count).toString();
    }

    private static List<String> numbered(List<Path> folders) {
        List<String> names = new ArrayList<>();
        for (Path folder : folders) {
            names.add(lastParts(folder, 1) + " #" + (names.size() + 1));
        }
        return names;
    }

    String experiment() {
        return result.get("experiment") instanceof String text ? text : "unknown";
    }

    /** Returns whether nothing speaks against the result. */
    boolean isGood() {
        return result.flag("valid") && !result.flag("disturbed") && result.flag("complete");
    }

    /** Returns what a reader must know before he believes the figures. */
    String state() {
        return Verdict.of(result, List.of());
    }

    /** Returns the name with a mark if the result is void or disturbed, for legends and heads. */
    String markedName() {
        if (!result.flag("valid")) {
            return name + " (void)";
        }
        return result.flag("disturbed") ? name + " (disturbed)" : name;
    }

    Figures head() {
        return new Figures()
                .put("name", name)
                .put("experiment", experiment())
                .put("valid", result.flag("valid"))
                .put("invalid_reason", result.get("invalid_reason"))
                .put("disturbed", result.flag("disturbed"))
                .put("complete", result.flag("complete"))
                .put("revision", result.get("revision"))
                .put("started", result.get("started"));
    }
}
