package dev.larder.log.random;

import dev.larder.log.Log;
import dev.larder.log.context.LogSession;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** The session behind a {@link Log}, which users of the log do not see. */
public final class OpenSession {

    private static final MethodHandle SESSION;

    static {
        try {
            SESSION = MethodHandles.privateLookupIn(Log.class, MethodHandles.lookup())
                    .findVirtual(Log.class, "session", MethodType.methodType(LogSession.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private OpenSession() {}

    /**
     * Returns the session of a log.
     *
     * @throws dev.larder.memory.ClosedException when the log was closed
     */
    public static LogSession of(Log log) {
        try {
            return (LogSession) SESSION.invokeExact(log);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
