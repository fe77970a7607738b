package dev.larder.lab.queue;

import dev.larder.lab.process.RivalFlags;
import java.util.List;

/**
 * A third-party store that runs beside Larder in a child JVM of its own.
 *
 * @param name in the result
 * @param main class of its child, in the module {@code benchmarks-rivals}
 * @param mode of the child
 * @param keepsAll whether its files grow to the whole total, or keep one burst
 * @param flags of the JVM that it requires of its users
 */
public record Rival(String name, String main, String mode, boolean keepsAll, List<String> flags) {

    /** Returns the rivals of a name: Chronicle Queue as one growing file, and as a new queue for each burst. */
    public static List<Rival> named(String name) {
        String main = "dev.larder.benchmarks.rivals.ChronicleBursts";
        return List.of(
                new Rival(name + "-growing-file", main, "growing-file", true, RivalFlags.CHRONICLE),
                new Rival(name + "-new-queue", main, "new-queue", false, RivalFlags.CHRONICLE));
    }
}
