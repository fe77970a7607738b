package dev.larder.lab.process;

import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.LabException;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Folders of jars that are not on this program's path, but beside it or in the build that it comes from. */
final class BuiltJars {

    private BuiltJars() {}

    /**
     * Returns the jars of a folder as a class path. An environment variable names the folder. Otherwise it is the first
     * place that has jars, searched from this program's location upwards.
     */
    static Optional<String> find(String variable, List<Path> places) {
        String named = System.getenv(variable);
        String found = named == null ? null : jars(Path.of(named));
        for (Path place = placeOf(BuiltJars.class); found == null && place != null; place = place.getParent()) {
            found = places.stream()
                    .map(place::resolve)
                    .map(BuiltJars::jars)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }
        return Optional.ofNullable(found);
    }

    /** Returns the jars of a folder; null if it has none. */
    static @Nullable String jars(Path folder) {
        if (!Files.isDirectory(folder)) {
            return null;
        }
        return Attempt.giving("read the jars in " + folder, () -> {
            try (Stream<Path> files = Files.list(folder)) {
                String jars = files.filter(file -> file.toString().endsWith(".jar"))
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator));
                return jars.isEmpty() ? null : jars;
            }
        });
    }

    /** Returns the jar or folder of a class. */
    static @Nullable Path placeOf(Class<?> type) {
        try {
            CodeSource source = type.getProtectionDomain().getCodeSource();
            return source == null ? null : Path.of(source.getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new LabException("this program's own place is not a path: " + e.getMessage(), e);
        }
    }
}
