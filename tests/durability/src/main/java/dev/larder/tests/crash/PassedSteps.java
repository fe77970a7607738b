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
 * Notes which steps any process has passed, before it may die there: an empty file for each, in a folder that all share. So
 * a test sees which named steps it has never come to.
 */
public final class PassedSteps implements Failpoints {

    private final Path folder;
    private final Failpoints next;
    private final Set<String> noted = ConcurrentHashMap.newKeySet();

    /** Before somebody else who listens; makes the folder of the notes, where it is not there yet. */
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
