package dev.larder.memory.region;

import dev.larder.memory.SystemStorage;
import dev.larder.memory.linux.LinuxCalls;
import dev.larder.memory.linux.LinuxError;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Regions from {@code apr_shm_create} of the Apache Portable Runtime. APR decides how it finds a region by its name:
 *
 * <pre>
 * built on shm_open (Debian)   path --two hashes--> /dev/shm/ShM.xxxHxxx   | size 8 | pad | the region ...
 * built on shmget              path --ftok--> key of a segment of System V, and a file | size 8 | at the path
 * </pre>
 */
final class AprMemory implements RegionSource {

    private static final String MISSING = "libapr-1 is not installed (on Debian: apt-get install libapr1)";

    @Override
    public Optional<String> unavailable() {
        return SystemStorage.whyPortable().or(() -> Library.IS_THERE ? Optional.empty() : Optional.of(MISSING));
    }

    /** Whether the library was found. It is looked up once. */
    private static final class Library {

        static final boolean IS_THERE = find();

        private Library() {}

        private static boolean find() {
            try {
                AprCalls.destroyPool(AprCalls.createPool());
                return true;
            } catch (LinkageError e) {
                return false;
            }
        }
    }

    @Override
    public Region create(String name, long bytes, Arena arena) {
        long pool = check(name, "create", AprCalls.createPool());
        long handle = AprCalls.create(Path.of(name), bytes, pool);
        if (handle < 0) {
            AprCalls.destroyPool(pool);
        }
        if (LinuxError.EEXIST.is(handle)) {
            throw RegionFiles.taken(words(name));
        }
        check(name, "create " + bytes + " bytes", handle);
        try {
            return map(name, handle, pool, true, arena);
        } catch (RuntimeException e) {
            delete(name);
            throw e;
        }
    }

    @Override
    public Region attach(String name, Arena arena) {
        long pool = check(name, "attach", AprCalls.createPool());
        long handle = AprCalls.attach(Path.of(name), pool);
        if (handle < 0) {
            AprCalls.destroyPool(pool);
        }
        if (LinuxError.ENOENT.is(handle)) {
            throw RegionFiles.missing(words(name));
        }
        return map(name, check(name, "attach", handle), pool, false, arena);
    }

    @Override
    public boolean delete(String name) {
        long pool = check(name, "delete", AprCalls.createPool());
        try {
            long result = AprCalls.remove(Path.of(name), pool);
            return !LinuxError.ENOENT.is(result) && check(name, "delete", result) == 0;
        } finally {
            AprCalls.destroyPool(pool);
        }
    }

    private Region map(String name, long handle, long pool, boolean created, Arena arena) {
        Handle backing = new Handle(name, handle, pool, created);
        MemorySegment mapped =
                LinuxCalls.segment(AprCalls.address(handle), AprCalls.sizeBytes(handle), arena, backing::release);
        return new Region(RegionKind.APR, name, mapped, backing);
    }

    private static boolean isThere(String name) {
        long pool = check(name, "attach", AprCalls.createPool());
        try {
            return AprCalls.attach(Path.of(name), pool) >= 0;
        } finally {
            AprCalls.destroyPool(pool);
        }
    }

    private static long check(String name, String what, long result) {
        if (result < 0) {
            throw LinuxError.exception(words(name) + ": cannot " + what, result);
        }
        return result;
    }

    private static String words(String name) {
        return RegionKind.APR.words() + " " + name;
    }

    /** APR's handle of a region. */
    private final class Handle implements RegionBacking {

        private final String name;
        private final long handle;
        private final long pool;
        private final boolean created;
        private volatile boolean deleted;

        Handle(String name, long handle, long pool, boolean created) {
            this.name = name;
            this.handle = handle;
            this.pool = pool;
            this.created = created;
        }

        @Override
        public boolean delete() {
            boolean removed = AprMemory.this.delete(name);
            deleted |= removed;
            return removed;
        }

        /**
         * Unmaps the region. The pool of a region's creator would also remove the name. So that pool is destroyed only if we
         * have already removed the name and it has not been taken since; otherwise it is kept for ever.
         */
        void release() {
            if (!created || (deleted && !isThere(name))) {
                AprCalls.destroyPool(pool);
            } else {
                AprCalls.detach(handle);
            }
        }
    }
}
