package dev.larder.tests.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The names of the steps at which a process can be killed, read from the sources, as there is no other list. */
final class NamedSteps {

    /** A call that reports a step, or the place where a step of a put gets the name that it has in the cleaner. */
    private static final Pattern NAME = Pattern.compile("(?:reached\\(|-> )\"([a-z]+\\.[a-z]+)\"");

    /** A step that only the cleaner reports, always under another name. */
    private static final String ALWAYS_RENAMED = "map.forgotten";

    /**
     * Steps that no program of these tests passes: they sync no single append, name no bookmark while they write, take no snapshot,
     * and replay with others only as they open a map. Tests of the log and of the map stop there.
     */
    private static final Set<String> NOT_PASSED =
            Set.of("append.left", "bookmark.naming", "replay.starting", "snapshot.copied", "snapshot.held");

    private NamedSteps() {}

    /** Returns the steps of the log. */
    static List<String> ofLog() {
        return List.copyOf(names("log"));
    }

    /** Returns the steps of the log and of the map. */
    static List<String> ofMap() {
        Set<String> all = names("log");
        all.addAll(names("map"));
        all.remove(ALWAYS_RENAMED);
        return List.copyOf(all);
    }

    private static Set<String> names(String module) {
        Path sources = Path.of(System.getProperty("larder.root"), module, "src/main/java");
        Set<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                names.addAll(namesIn(Files.readString(file)));
            }
            names.removeAll(NOT_PASSED);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return names;
    }

    private static List<String> namesIn(String source) {
        List<String> names = new ArrayList<>();
        NAME.matcher(source).results().forEach(result -> names.add(result.group(1)));
        return names;
    }
}
