package dev.larder.memory.raw;

/**
 * Initialises classes before they are needed. The JVM never retries a class whose initialisation failed, even if only the stack
 * had no room left. So the classes that calls need are initialised when a log or a map is opened, not deep in a first call.
 */
public final class EarlyClasses {

    private EarlyClasses() {}

    /** Initialises classes. */
    public static void initialize(Class<?>... classes) {
        for (Class<?> type : classes) {
            try {
                Class.forName(type.getName(), true, type.getClassLoader());
            } catch (ClassNotFoundException e) {
                throw new AssertionError(e); // its class literal exists
            }
        }
    }
}
