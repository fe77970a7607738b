package dev.larder.lab.compare;

import dev.larder.cli.Figures;
import dev.larder.lab.result.LabException;
import dev.larder.lab.result.Verdict;
import dev.larder.memory.LarderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The result of one folder.
 *
 * @param name short, and unique among the compared folders
 * @param result the content of {@code result.json}
 */
record ComparedResult(String name, Figures result) {

    private static final List<String> FACTS =
            List.of("experiment", "seed", "revision", "memory", "options", "machine", "jvm");

    private static final List<String> HEAD =
            List.of("valid", "invalid_reason", "disturbed", "complete", "revision", "started");

    /** Reads the results of folders; parent names distinguish folders of the same name. */
    static List<ComparedResult> read(List<Path> folders) {
        List<String> names = names(folders);
        return IntStream.range(0, folders.size())
                .mapToObj(index -> new ComparedResult(names.get(index), read(folders.get(index))))
                .toList();
    }

    private static Figures read(Path folder) {
        Path file = folder.resolve("result.json");
        try {
            return Figures.parse(Files.readString(file));
        } catch (NoSuchFileException e) {
            throw new LabException(folder + " is not a result folder: it has no result.json", e);
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
        return IntStream.range(0, folders.size())
                .mapToObj(index -> lastParts(folders.get(index), 1) + " #" + (index + 1))
                .toList();
    }

    private static String lastParts(Path folder, int parts) {
        Path whole = folder.toAbsolutePath().normalize();
        int count = whole.getNameCount();
        return count == 0
                ? "/"
                : whole.subpath(Math.max(0, count - parts), count).toString();
    }

    /** Returns nested figures as flat ones, each named by its path. */
    static Figures flat(Figures nested, String separator) {
        Figures flat = new Figures();
        for (String name : nested.names()) {
            Figures part = flat(nested.part(name), separator);
            if (part.names().isEmpty()) {
                flat.put(name, nested.get(name));
            }
            part.names().forEach(each -> flat.put(name + separator + each, part.get(each)));
        }
        return flat;
    }

    /** Returns the conditions in which the result was made. */
    Figures facts() {
        Figures facts = new Figures();
        FACTS.forEach(name -> facts.put(name, result.get(name)));
        return flat(facts, ".");
    }

    String experiment() {
        return result.get("experiment") instanceof String text ? text : "unknown";
    }

    /** Returns whether it is valid, calm and complete. */
    boolean isGood() {
        return result.flag("valid") && !result.flag("disturbed") && result.flag("complete");
    }

    /** Returns a caveat for readers of the figures. */
    String state() {
        return Verdict.of(result, List.of());
    }

    /** Returns the name for legends and heads, marked if the result is void or disturbed. */
    String markedName() {
        if (!result.flag("valid")) {
            return name + " (void)";
        }
        return result.flag("disturbed") ? name + " (disturbed)" : name;
    }

    Figures head() {
        Figures head = new Figures().put("name", name).put("experiment", experiment());
        HEAD.forEach(fact -> head.put(fact, result.get(fact)));
        return head;
    }
}
