package dev.larder.lab.queue;

import java.util.List;

/**
 * A store of others that runs beside ours in a child JVM of its own.
 *
 * @param name in the result
 * @param main class of its child, in the module {@code benchmarks-rivals}
 * @param mode that the child is configured with
 * @param keepsAll whether its files grow to the whole total, or one burst is kept
 * @param flags that it asks its users to start their JVM with
 */
public record Rival(String name, String main, String mode, boolean keepsAll, List<String> flags) {

    /** What the maker of Chronicle Queue asks for on a current JDK, with its analytics switched off. */
    private static final List<String> CHRONICLE_FLAGS = List.of(
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
            "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
            "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dchronicle.analytics.disable=true");

    /** Returns the rivals of a name: Chronicle Queue as one growing file, and as a new queue for each burst. */
    public static List<Rival> named(String name) {
        String main = "dev.larder.benchmarks.rivals.ChronicleBursts";
        return List.of(
                new Rival(name + "-growing-file", main, "growing-file", true, CHRONICLE_FLAGS),
                new Rival(name + "-new-queue", main, "new-queue", false, CHRONICLE_FLAGS));
    }
}
