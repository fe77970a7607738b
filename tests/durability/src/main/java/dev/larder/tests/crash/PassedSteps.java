package dev.larder.tests.crash;

import dev.larder.log.layer.Failpoints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Notes which steps any process has passed, before the process may die there: an empty file for each, in a shared folder. So a
 * test sees which named steps no process has reached.
 */
public final class PassedSteps implements Failpoints {

    private final Path folder;
    private final Failpoints next;
    private final Set<String> noted = ConcurrentHashMap.newKeySet();

    /** Notes steps before the next failpoints see them; makes the folder of the notes if it is missing. */
    public PassedSteps(Path folder, Failpoints next) {
        this.folder = folder;
        this.next = next;
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the names of the steps that were passed. */
    public static Set<String> names(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void reached(String step) {
        if (!noted.contains(step)) {
            note(step);
            noted.add(step);
        }
        next.reached(step);
    }

    private void note(String step) {
        try {
            Files.write(folder.resolve(step), new byte[0], StandardOpenOption.CREATE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
