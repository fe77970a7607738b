package dev.larder.memory.linux;

import dev.larder.memory.DiskFullException;
import dev.larder.memory.StorageException;
import dev.larder.memory.SystemLimitException;
import java.nio.file.Path;

/** The error numbers of Linux that are known by name; the rest keep their number. */
public enum LinuxError {
    EPERM(1, "operation not permitted"),
    ENOENT(2, "no such file or directory"),
    EINTR(4, "interrupted by a signal"),
    EIO(5, "input/output error: the device has failed"),
    EBADF(9, "bad file descriptor"),
    EAGAIN(11, "try again"),
    ENOMEM(12, "out of memory, or of mappings (vm.max_map_count)"),
    EACCES(13, "permission denied"),
    EFAULT(14, "bad address, or a page that cannot be backed"),
    EBUSY(16, "busy"),
    EEXIST(17, "it exists"),
    EXDEV(18, "on another file system"),
    ENODEV(19, "not supported by this file system"),
    ENOTDIR(20, "a part of the path is not a directory"),
    EISDIR(21, "it is a directory, not a file"),
    EINVAL(22, "invalid argument"),
    ENFILE(23, "too many open files on this machine"),
    EMFILE(24, "too many open files in this process (ulimit -n)"),
    EFBIG(27, "the file would be too large (file system, or ulimit -f)"),
    ENOSPC(28, "no space left on device"),
    EROFS(30, "read-only file system"),
    EMLINK(31, "too many links"),
    ENAMETOOLONG(36, "the name is too long"),
    ENOLCK(37, "no locks available"),
    ENOSYS(38, "not supported by this kernel"),
    ELOOP(40, "it is a symbolic link, which Larder refuses, or the path has too many symbolic links"),
    EIDRM(43, "it was removed"),
    EOVERFLOW(75, "the value is too large"),
    EOPNOTSUPP(95, "not supported by this file system"),
    ESTALE(116, "stale file handle"),
    EDQUOT(122, "disk quota exceeded");

    final int number;
    private final String words;

    LinuxError(int number, String words) {
        this.number = number;
        this.words = words;
    }

    /** Returns whether a result of {@link LinuxCalls} is this error. */
    public boolean is(long result) {
        return result == -number;
    }

    /** Returns a result of 0 or more. For an error, throws the exception for an operation on a path. */
    public static long check(Path path, String what, long result) {
        if (result < 0) {
            throw exception(path + ": cannot " + what, result);
        }
        return result;
    }

    /** Returns the exception for an error: the text, then words, name and number. */
    public static StorageException exception(String text, long result) {
        String message = text + ": " + words(result);
        if (EMFILE.is(result) || ENFILE.is(result)) {
            return new SystemLimitException(message);
        }
        return ENOSPC.is(result) || EDQUOT.is(result) ? new DiskFullException(message) : new StorageException(message);
    }

    /** Returns the text of an error: words, name and number. */
    public static String words(long result) {
        for (LinuxError error : values()) {
            if (error.is(result)) {
                return error.words + " (" + error.name() + ", errno " + error.number + ")";
            }
        }
        return "errno " + -result;
    }
}
