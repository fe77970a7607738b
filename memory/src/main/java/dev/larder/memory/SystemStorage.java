package dev.larder.memory;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;

/** The choice between the storages, made once: native where the JVM has granted it and the system has it all. */
final class SystemStorage {

    private static final Storage CHOSEN = choose();

    private SystemStorage() {}

    static Storage get() {
        return CHOSEN;
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
            logger().log(Level.INFO, "Larder runs without native calls: the C library lacks one that it needs", e);
            return PortableStorage.INSTANCE;
        }
    }

    /** Returns the line for a module without native access: the flag, and what it gives. */
    static String advice(Module module) {
        String name = module.isNamed() ? module.getName() : "ALL-UNNAMED";
        return "Larder runs without native calls. Start java with --enable-native-access=" + name
                + " for faster rolls and syncs, and for readers that sleep until they are woken.";
    }

    static boolean isLinux() {
        return "Linux".equals(System.getProperty("os.name"))
                && Set.of("amd64", "aarch64").contains(System.getProperty("os.arch"));
    }

    private static Logger logger() {
        return System.getLogger("dev.larder.memory");
    }
}
