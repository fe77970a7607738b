package dev.larder.memory;

import dev.larder.memory.linux.LinuxStorage;
import dev.larder.memory.portable.PortableStorage;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.Set;

/**
 * The storages of this machine. One is chosen at start: with native calls if the JVM permits them and the system has
 * all of them.
 */
public final class SystemStorage {

    private static final Storage CHOSEN = choose();

    private SystemStorage() {}

    /** Returns the storage of this machine: with native calls if the JVM permits them, else {@link #portable()}. */
    public static Storage system() {
        return CHOSEN;
    }

    /** Returns the storage without native calls: {@code java.nio} and {@code java.lang.foreign} alone. */
    public static Storage portable() {
        return PortableStorage.INSTANCE;
    }

    private static Storage choose() {
        if (!isLinux()) {
            return PortableStorage.INSTANCE;
        }
        if (!Storage.class.getModule().isNativeAccessEnabled()) {
            logger().log(Level.INFO, advice(Storage.class.getModule()));
            return PortableStorage.INSTANCE;
        }
        try {
            return LinuxStorage.INSTANCE;
        } catch (LinkageError e) {
            logger().log(
                            Level.INFO,
                            "Larder runs without native calls: the C library lacks a call that Larder needs",
                            e);
            return PortableStorage.INSTANCE;
        }
    }

    /** Returns why no native calls are made; empty if they are. */
    public static Optional<String> whyPortable() {
        if (!isLinux()) {
            return Optional.of("it needs native calls, which Larder makes only on Linux (x86-64 and aarch64)");
        }
        if (!Storage.class.getModule().isNativeAccessEnabled()) {
            return Optional.of("it needs native calls: start java with --enable-native-access="
                    + nameOf(Storage.class.getModule()));
        }
        return CHOSEN.isNative() ? Optional.empty() : Optional.of("the C library lacks a call that Larder needs");
    }

    /** Returns the log line for a module without native access: the flag, and its benefits. */
    static String advice(Module module) {
        return "Larder runs without native calls. Start java with --enable-native-access=" + nameOf(module)
                + " for faster rolls and syncs, and for readers that sleep until they are woken.";
    }

    private static String nameOf(Module module) {
        return module.isNamed() ? module.getName() : "ALL-UNNAMED";
    }

    /** Returns whether this is Linux on a processor for which Larder has native calls: x86-64 or aarch64. */
    public static boolean isLinux() {
        return "Linux".equals(System.getProperty("os.name"))
                && Set.of("amd64", "aarch64").contains(System.getProperty("os.arch"));
    }

    private static Logger logger() {
        return System.getLogger("dev.larder.memory");
    }
}
