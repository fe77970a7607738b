package dev.larder.memory;

import java.util.Optional;

/**
 * A thing that this JVM has open, and may have open once only, whatever class loader opens it: where locks belong to the
 * process, closing a second descriptor of a file would drop the locks of the first.
 *
 * <p>Copies of this library, loaded by several class loaders, share nothing but the system properties. So each thing is a
 * system property as long as it is open: its kind and identity are the key, the text of the class loader is the value. Both
 * are strings, as whoever lists or stores the system properties expects.
 */
public final class OnceOpen implements AutoCloseable {

    private static final String PREFIX = "dev.larder.open.";

    private final String key;
    private boolean closed;

    private OnceOpen(String key) {
        this.key = key;
    }

    /** Notes that a thing is open now; empty where it is open already, and nothing changes. */
    public static Optional<OnceOpen> enter(String kind, String identity) {
        String key = key(kind, identity);
        String loader = String.valueOf(OnceOpen.class.getClassLoader());
        return System.getProperties().putIfAbsent(key, loader) == null
                ? Optional.of(new OnceOpen(key))
                : Optional.empty();
    }

    /** Returns the text of the class loader whose copy of this library has a thing open; empty where none has. */
    public static Optional<String> holder(String kind, String identity) {
        return Optional.ofNullable(System.getProperty(key(kind, identity)));
    }

    private static String key(String kind, String identity) {
        return PREFIX + kind + ':' + identity;
    }

    /** Notes that the thing is no longer open; the second time nothing happens. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            System.getProperties().remove(key);
        }
    }
}
