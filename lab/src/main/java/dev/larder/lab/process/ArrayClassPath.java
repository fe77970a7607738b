package dev.larder.lab.process;

import dev.larder.cli.Larder;
import dev.larder.lab.result.LabException;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the jars of the array: beside this program in the folders {@code server} and {@code array}, in a build, or where
 * {@code LARDER_SERVER} and {@code LARDER_ARRAY} point. Ratis needs a class path, and is never on this program's own.
 */
public final class ArrayClassPath {

    private ArrayClassPath() {}

    /**
     * Returns the class path of the command {@code larder array}.
     *
     * @throws LabException with the command that builds it
     */
    public static String find() {
        return own().or(ArrayClassPath::built)
                .orElseThrow(() -> new LabException("the jars of the array are not here; in a checkout of Larder,"
                        + " ./larder lab array builds them; else unpack larder-server and larder-array beside the"
                        + " lab, or name their folders: LARDER_SERVER, LARDER_ARRAY"));
    }

    /** Returns this program's class path, if the array is on it. */
    private static Optional<String> own() {
        boolean isOwn = ClassLoader.getSystemResource("dev/larder/arraycli/ArrayCommand.class") != null;
        return isOwn ? Optional.of(System.getProperty("java.class.path")) : Optional.empty();
    }

    private static Optional<String> built() {
        @Nullable Path command = BuiltJars.placeOf(Larder.class);
        @Nullable Path lib = command == null ? null : command.getParent();
        @Nullable String own = lib == null ? null : BuiltJars.jars(lib);
        return own == null
                ? Optional.empty()
                : folder("server")
                        .flatMap(server -> folder("array")
                                .map(array ->
                                        String.join(File.pathSeparator, Objects.requireNonNull(own), server, array)));
    }

    private static Optional<String> folder(String name) {
        Path built = Path.of("distribution-" + name, "target", "quick", "larder", name);
        return BuiltJars.find("LARDER_" + name.toUpperCase(Locale.ROOT), List.of(built, Path.of(name)));
    }
}
