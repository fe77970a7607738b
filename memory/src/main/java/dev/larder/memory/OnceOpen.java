package dev.larder.memory;

import java.util.Optional;

/**
 * A marker that this JVM has a resource open, which it may open one time only, whichever class loader opens it. Where
 * locks belong to the process, closing a second descriptor of a file would drop the locks of the first.
 *
 * <p>Copies of this library in several class loaders share only the system properties. So each open resource is a
 * system property. Its kind and identity are the key, the text of the class loader is the value. Both are strings, as
 * code that lists or stores system properties expects.
 */
public final class OnceOpen implements AutoCloseable {

    private static final String PREFIX = "dev.larder.open.";

    private final String key;
    private boolean closed;

    private OnceOpen(String key) {
        this.key = key;
    }

    /** Marks a resource as open; empty, without a change, if it is already open. */
    public static Optional<OnceOpen> enter(String kind, String identity) {
        String key = key(kind, identity);
        String loader = String.valueOf(OnceOpen.class.getClassLoader());
        return System.getProperties().putIfAbsent(key, loader) == null
                ? Optional.of(new OnceOpen(key))
                : Optional.empty();
    }

    /** Returns the text of the class loader whose copy of this library has a resource open; empty if none has. */
    public static Optional<String> holder(String kind, String identity) {
        return Optional.ofNullable(System.getProperty(key(kind, identity)));
    }

    private static String key(String kind, String identity) {
        return PREFIX + kind + ':' + identity;
    }

    /** Marks the resource as closed; a second call does nothing. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            System.getProperties().remove(key);
        }
    }
}
