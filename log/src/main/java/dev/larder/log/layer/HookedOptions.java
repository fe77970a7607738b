package dev.larder.log.layer;

import dev.larder.log.LogOptions;
import dev.larder.memory.Storage;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Gives tests and the map access to a log's {@link LogHooks}. The options carry the hooks, but have no public method for them.
 */
public final class HookedOptions {

    private static final VarHandle HOOKS;
    private static final MethodHandle WITH_HOOKS;

    static {
        try {
            MethodHandles.Lookup options = MethodHandles.privateLookupIn(LogOptions.class, MethodHandles.lookup());
            HOOKS = options.findVarHandle(LogOptions.class, "hooks", Object.class);
            WITH_HOOKS = options.findVirtual(
                    LogOptions.class, "withHooks", MethodType.methodType(LogOptions.class, Object.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private HookedOptions() {}

    /** Returns the hooks that options carry; the defaults where they carry none. */
    public static LogHooks of(LogOptions options) {
        Object hooks = HOOKS.get(options);
        return hooks == null ? LogHooks.defaults() : (LogHooks) hooks;
    }

    /** Returns the storage of the hooks that options carry. */
    public static Storage storage(LogOptions options) {
        return of(options).storage();
    }

    /** Returns a copy of options with changed hooks. */
    public static LogOptions with(LogOptions options, UnaryOperator<LogHooks> change) {
        try {
            LogHooks changed = change.apply(of(options));
            @Nullable Object carried = isDefault(changed) ? null : changed; // so that equal options are equal
            return (LogOptions) WITH_HOOKS.invokeExact(options, carried);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Compares by identity: a storage that wraps another may return true from {@code equals} with it. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isDefault(LogHooks hooks) {
        LogHooks defaults = LogHooks.defaults();
        return hooks.storage() == defaults.storage()
                && hooks.resolver() == defaults.resolver()
                && hooks.failpoints() == defaults.failpoints()
                && !hooks.linked()
                && !hooks.pending();
    }

    /** Returns a copy of options with another {@link LogHooks#storage}. */
    public static LogOptions withStorage(LogOptions options, Storage storage) {
        return with(options, hooks -> hooks.withStorage(storage));
    }

    /** Returns a copy of options with another listener of {@link LogHooks#failpoints}. */
    public static LogOptions withFailpoints(LogOptions options, Failpoints listener) {
        return with(options, hooks -> hooks.withFailpoints(listener));
    }
}
