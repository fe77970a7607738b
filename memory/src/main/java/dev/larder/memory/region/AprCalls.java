package dev.larder.memory.region;

import dev.larder.memory.linux.LinuxCalls;
import dev.larder.memory.linux.LinuxError;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * The functions of libapr-1 for shared memory. If the library is missing, this class cannot be initialized.
 *
 * <p>Each returns an address, a size or 0, or a negated error number. A pool is APR's arena: destroying it releases all that
 * was made with it, and also removes a region that was created with it.
 */
final class AprCalls {

    private static final SymbolLookup LIBRARY = LinuxCalls.library("libapr-1.so.0")
            .or(() -> LinuxCalls.library("libapr-1.so"))
            .orElseThrow(() -> new UnsatisfiedLinkError("libapr-1"));

    private static final MethodHandle INITIALIZE = status("apr_initialize");
    private static final MethodHandle POOL_CREATE =
            status("apr_pool_create_ex", LinuxCalls.POINTER, LinuxCalls.LONG, LinuxCalls.LONG, LinuxCalls.LONG);
    private static final MethodHandle POOL_DESTROY =
            LinuxCalls.function(LIBRARY, "apr_pool_destroy", FunctionDescriptor.ofVoid(LinuxCalls.LONG));
    private static final MethodHandle CREATE =
            status("apr_shm_create", LinuxCalls.POINTER, LinuxCalls.LONG, LinuxCalls.POINTER, LinuxCalls.LONG);
    private static final MethodHandle ATTACH =
            status("apr_shm_attach", LinuxCalls.POINTER, LinuxCalls.POINTER, LinuxCalls.LONG);
    private static final MethodHandle DETACH = status("apr_shm_detach", LinuxCalls.LONG);
    private static final MethodHandle REMOVE = status("apr_shm_remove", LinuxCalls.POINTER, LinuxCalls.LONG);
    private static final MethodHandle ADDRESS = number("apr_shm_baseaddr_get");
    private static final MethodHandle SIZE = number("apr_shm_size_get");

    static {
        long result = call((arena, made) -> (int) INITIALIZE.invokeExact());
        if (result < 0) {
            throw new UnsatisfiedLinkError("apr_initialize failed: " + LinuxError.words(result));
        }
    }

    private AprCalls() {}

    static long createPool() {
        return call((arena, pool) -> (int) POOL_CREATE.invokeExact(pool, 0L, 0L, 0L));
    }

    static void destroyPool(long pool) {
        call((arena, made) -> {
            POOL_DESTROY.invokeExact(pool);
            return 0;
        });
    }

    /** Creates a region that is found by a file. The file must not exist. */
    static long create(Path file, long bytes, long pool) {
        return call((arena, region) -> (int) CREATE.invokeExact(region, bytes, LinuxCalls.name(arena, file), pool));
    }

    static long attach(Path file, long pool) {
        return call((arena, region) -> (int) ATTACH.invokeExact(region, LinuxCalls.name(arena, file), pool));
    }

    /** Unmaps a region. If this process created the region, it stays behind. */
    static long detach(long region) {
        return call((arena, made) -> (int) DETACH.invokeExact(region));
    }

    /** Removes a region with its file. Existing mappings keep the bytes. */
    static long remove(Path file, long pool) {
        return call((arena, made) -> (int) REMOVE.invokeExact(LinuxCalls.name(arena, file), pool));
    }

    static long address(long region) {
        return number(ADDRESS, region);
    }

    static long sizeBytes(long region) {
        return number(SIZE, region);
    }

    /** One call, with an arena for its arguments and a place for its result. */
    @FunctionalInterface
    private interface Call {
        int invoke(Arena arena, MemorySegment made) throws Throwable;
    }

    private static long call(Call call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = arena.allocate(ValueLayout.JAVA_LONG);
            int status = call.invoke(arena, made);
            return status == 0 ? made.get(ValueLayout.JAVA_LONG, 0) : -status;
        } catch (Throwable e) {
            throw LinuxCalls.unexpected(e);
        }
    }

    private static long number(MethodHandle function, long region) {
        try {
            return (long) function.invokeExact(region);
        } catch (Throwable e) {
            throw LinuxCalls.unexpected(e);
        }
    }

    private static MethodHandle status(String name, MemoryLayout... arguments) {
        return LinuxCalls.function(LIBRARY, name, FunctionDescriptor.of(LinuxCalls.INT, arguments));
    }

    private static MethodHandle number(String name) {
        return LinuxCalls.function(LIBRARY, name, FunctionDescriptor.of(LinuxCalls.LONG, LinuxCalls.LONG));
    }
}
