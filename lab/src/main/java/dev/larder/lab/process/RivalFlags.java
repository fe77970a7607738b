package dev.larder.lab.process;

import java.util.ArrayList;
import java.util.List;

/** The flags that rivals ask their users to start a current JDK with, each where the rival is named. */
public final class RivalFlags {

    /** Loads a native library, or calls one: else the JDK warns, and one day refuses. */
    public static final String NATIVE = "--enable-native-access=ALL-UNNAMED";

    /** Reads and writes memory through {@code sun.misc.Unsafe}: else the JDK warns, and one day refuses. */
    public static final String UNSAFE = "--sun-misc-unsafe-memory-access=allow";

    /** What the maker of Chronicle's libraries asks for, with its analytics switched off. */
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

    /** What lmdbjava needs: it reaches into {@code java.nio.Buffer} for the address, and its library is native. */
    public static final List<String> LMDB = List.of(
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            NATIVE,
            UNSAFE);

    private RivalFlags() {}

    /** Returns flags and more of them. */
    public static List<String> and(List<String> flags, String... more) {
        List<String> all = new ArrayList<>(flags);
        all.addAll(List.of(more));
        return all;
    }
}
