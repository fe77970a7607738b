package dev.larder.lab.process;

import dev.larder.lab.result.LabException;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the jars of rivals are: never on our own path, but in a folder that a build of {@code benchmarks-rivals} fills.
 *
 * <p>That folder is named by {@code LARDER_RIVALS}; else looked for from this program's own place upwards.
 */
public final class RivalClassPath {

    private static final List<Path> BUILT = List.of(
            Path.of("benchmarks-rivals", "target", "rivals"),
            Path.of("benchmarks-rivals", "target", "quick", "rivals"));

    private RivalClassPath() {}

    /**
     * Returns the class path of a rival's child.
     *
     * @throws LabException with the command that builds it
     */
    public static String find() {
        String named = System.getenv("LARDER_RIVALS");
        String found = named == null ? null : jars(Path.of(named));
        for (Path place = ownPlace(); found == null && place != null; place = place.getParent()) {
            found = BUILT.stream()
                    .map(place::resolve)
                    .map(RivalClassPath::jars)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }
        if (found == null) {
            throw new LabException(
                    "the rivals' jars are not here; in a checkout of Larder run: mvn -q package -Dquick -Pbenchmarks"
                            + " -pl benchmarks-rivals -am (or name their folder: LARDER_RIVALS)");
        }
        return found;
    }

    private static @Nullable String jars(Path folder) {
        if (!Files.isDirectory(folder)) {
            return null;
        }
        try (Stream<Path> files = Files.list(folder)) {
            String jars = files.filter(file -> file.toString().endsWith(".jar"))
                    .map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator));
            return jars.isEmpty() ? null : jars;
        } catch (IOException e) {
            throw new LabException("cannot read the rivals' jars in " + folder + ": " + e.getMessage(), e);
        }
    }

    private static @Nullable Path ownPlace() {
        try {
            CodeSource source = RivalClassPath.class.getProtectionDomain().getCodeSource();
            return source == null ? null : Path.of(source.getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new LabException("this program's own place is not a path: " + e.getMessage(), e);
        }
    }

    /** Returns the command that starts a rival's child: its own class path, and the flags that it asks its users for. */
    public static List<String> command(long heapBytes, String main, List<String> flags) {
        List<String> command = new ArrayList<>(JavaProcess.start(heapBytes));
        command.addAll(flags);
        command.addAll(List.of("-cp", find(), main));
        return command;
    }
}
