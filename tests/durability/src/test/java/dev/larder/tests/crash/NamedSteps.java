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

/** The names of the steps at which a process can be killed, as they stand in the sources: there is no other list. */
final class NamedSteps {

    /** Where a step is told of; or a step of a put is given the name that it has when it is the cleaner's. */
    private static final Pattern NAME = Pattern.compile("(?:reached\\(|-> )\"([a-z]+\\.[a-z]+)\"");

    /** What is said by the cleaner alone, and so never heard under this name. */
    private static final String ALWAYS_RENAMED = "map.forgotten";

    private NamedSteps() {}

    /** Returns those of the log. */
    static List<String> ofLog() {
        return List.copyOf(names("log"));
    }

    /** Returns those of the log and of the map. */
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
