package dev.larder.memory.region;

import dev.larder.memory.StorageFile;
import dev.larder.memory.linux.LinuxCalls;
import dev.larder.memory.linux.LinuxError;
import dev.larder.memory.linux.LinuxFile;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/** POSIX shared memory by native calls: {@code shm_open} returns a descriptor, and the rest is as with any file. */
final class PosixShared {

    private static final int OWNER_ALONE = 0600;

    private PosixShared() {}

    /** The two calls. Old C libraries have them in another library; then this class cannot be initialized. */
    private static final class Calls {

        static final MethodHandle OPEN =
                LinuxCalls.function("shm_open", LinuxCalls.INT, LinuxCalls.POINTER, LinuxCalls.INT, LinuxCalls.INT);
        static final MethodHandle UNLINK = LinuxCalls.function("shm_unlink", LinuxCalls.INT, LinuxCalls.POINTER);

        private Calls() {}

        /** Returns true, once this class is initialized. */
        static boolean areFound() {
            return true;
        }

        static int open(String name, int flags) {
            return (int) LinuxCalls.call(
                    (errno, arena) -> (int) OPEN.invokeExact(errno, LinuxCalls.text(arena, name), flags, OWNER_ALONE));
        }

        static long unlink(String name) {
            return LinuxCalls.call((errno, arena) -> (int) UNLINK.invokeExact(errno, LinuxCalls.text(arena, name)));
        }
    }

    static boolean isThere() {
        try {
            return Calls.areFound();
        } catch (LinkageError e) {
            return false;
        }
    }

    static Optional<StorageFile> create(Path path) {
        int descriptor = Calls.open(name(path), LinuxCalls.O_RDWR | LinuxCalls.O_CREAT | LinuxCalls.O_EXCL);
        if (LinuxError.EEXIST.is(descriptor)) {
            return Optional.empty();
        }
        LinuxError.check(path, "create", descriptor);
        LinuxFile file = new LinuxFile(path, descriptor, true);
        file.completePermissions(OWNER_ALONE);
        return Optional.of(file);
    }

    static Optional<StorageFile> open(Path path) {
        int descriptor = Calls.open(name(path), LinuxCalls.O_RDWR);
        if (LinuxError.ENOENT.is(descriptor)) {
            return Optional.empty();
        }
        LinuxError.check(path, "attach", descriptor);
        LinuxFile file = new LinuxFile(path, descriptor, true);
        file.requireRegularFile();
        return Optional.of(file);
    }

    static boolean delete(Path path) {
        long result = Calls.unlink(name(path));
        return !LinuxError.ENOENT.is(result) && LinuxError.check(path, "delete", result) == 0;
    }

    private static String name(Path path) {
        return "/" + Objects.requireNonNull(path.getFileName());
    }
}
