package dev.larder.lab.process;

import java.util.ArrayList;
import java.util.List;

/** The flags of a current JDK that rivals require of their users, by rival. */
public final class RivalFlags {

    /** For native libraries: otherwise the JDK warns, and will one day refuse. */
    public static final String NATIVE = "--enable-native-access=ALL-UNNAMED";

    /** For memory access by {@code sun.misc.Unsafe}: otherwise the JDK warns, and will one day refuse. */
    public static final String UNSAFE = "--sun-misc-unsafe-memory-access=allow";

    /** The flags that Chronicle's maker requires, with its analytics off. */
    public static final List<String> CHRONICLE = List.of(
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
            "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
            "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            NATIVE,
            UNSAFE,
            "-Dchronicle.analytics.disable=true");

    /** For lmdbjava, which reads the address in {@code java.nio.Buffer}, and has a native library. */
    public static final List<String> LMDB = List.of(
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            NATIVE,
            UNSAFE);

    private RivalFlags() {}

    /** Returns flags with more flags. */
    public static List<String> and(List<String> flags, String... more) {
        List<String> all = new ArrayList<>(flags);
        all.addAll(List.of(more));
        return all;
    }
}
