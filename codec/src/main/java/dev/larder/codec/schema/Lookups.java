package dev.larder.codec.schema;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** The access to classes of the user, where their module grants it without a lookup. */
public final class Lookups {

    private static final Lookup OWN = MethodHandles.lookup();

    private Lookups() {}

    /** Returns a lookup for a class of the class path, or of a package that is open to this module. */
    public static Lookup of(Class<?> type) {
        try {
            Lookups.class.getModule().addReads(type.getModule());
            return MethodHandles.privateLookupIn(type, OWN);
        } catch (IllegalAccessException e) {
            throw refused(type, e);
        }
    }

    public static IllegalArgumentException refused(Class<?> type, Throwable cause) {
        return new IllegalArgumentException(
                type.getName() + " cannot be used from here: pass MethodHandles.lookup() of a class that can, or open"
                        + " its package to dev.larder.codec",
                cause);
    }
}
