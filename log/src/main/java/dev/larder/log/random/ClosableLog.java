package dev.larder.log.random;

import dev.larder.log.Log;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** The check whether a log can be closed, for a layer above, which has other things to close before. */
public final class ClosableLog {

    private static final MethodHandle REQUIRE;

    static {
        try {
            REQUIRE = MethodHandles.privateLookupIn(Log.class, MethodHandles.lookup())
                    .findVirtual(Log.class, "requireClosable", MethodType.methodType(void.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private ClosableLog() {}

    /**
     * Fails where {@link Log#close} would be refused now.
     *
     * @throws IllegalStateException inside a handler, a writer or a call of the log
     */
    public static void require(Log log) {
        try {
            REQUIRE.invokeExact(log);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
