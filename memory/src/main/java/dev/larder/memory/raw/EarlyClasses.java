package dev.larder.memory.raw;

/**
 * Initialises classes before they are needed. The JVM gives a class up for good whose initialisation has failed, even where
 * only the stack had no room left. So what calls need is initialised as a log or a map is opened, not deep in a first call.
 */
public final class EarlyClasses {

    private EarlyClasses() {}

    /** Initialises classes. */
    public static void initialize(Class<?>... classes) {
        for (Class<?> type : classes) {
            try {
                Class.forName(type.getName(), true, type.getClassLoader());
            } catch (ClassNotFoundException e) {
                throw new AssertionError(e); // its literal was there
            }
        }
    }
}
