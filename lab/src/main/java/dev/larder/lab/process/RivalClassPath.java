package dev.larder.lab.process;

import dev.larder.lab.result.LabException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the jars of rivals: never on this program's path, but in a folder that a build of {@code benchmarks-rivals} fills.
 *
 * <p>{@code LARDER_RIVALS} names it; otherwise it is searched from this program's place upwards.
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
        return BuiltJars.find("LARDER_RIVALS", BUILT)
                .orElseThrow(() -> new LabException(
                        "the rivals' jars are not here; in a checkout of Larder run: mvn -q package -Dquick"
                                + " -Pbenchmarks -pl benchmarks-rivals -am (or name their folder: LARDER_RIVALS)"));
    }

    /** Returns the command that starts a rival's child: its class path, and the flags that it requires of users. */
    public static List<String> command(long heapBytes, String main, List<String> flags) {
        List<String> command = new ArrayList<>(JavaProcess.start(heapBytes));
        command.addAll(flags);
        command.addAll(List.of("-cp", find(), main));
        return command;
    }
}
