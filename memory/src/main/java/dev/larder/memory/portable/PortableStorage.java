package dev.larder.memory.portable;

import dev.larder.memory.Access;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.AccessOrder;
import dev.larder.memory.FileSystemKind;
import dev.larder.memory.SharedWait;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The storage that makes no native call: {@code java.nio} and {@code java.lang.foreign} alone, on every system. */
public enum PortableStorage implements Storage {
    INSTANCE;

    private static final int READ_BYTES = 1 << 20;

    /** The buffer of each of the few threads that operate on channels. */
    private static final ThreadLocal<ByteBuffer> READ =
            ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(READ_BYTES));

    private static final boolean WINDOWS = File.separatorChar == '\\';

    @Override
    public boolean isNative() {
        return false;
    }

    @Override
    public void createDirectories(Path directory, Access access) {
        List<Path> parents = parentsOfMissing(directory.toAbsolutePath());
        try {
            FileModes.createDirectories(directory.toAbsolutePath(), FileModes.ofDirectory(access));
        } catch (IOException e) {
            throw FileFailure.of(directory, "create the directory", e);
        }
        parents.forEach(this::syncDirectory);
    }

    /** Returns the directories that get a new name when a directory is created, the outermost last. */
    private static List<Path> parentsOfMissing(Path directory) {
        List<Path> parents = new ArrayList<>();
        Path parent = directory.getParent();
        for (Path at = directory; parent != null && !Files.isDirectory(at); parent = at.getParent()) {
            parents.add(parent);
            at = parent;
        }
        return parents;
    }

    @Override
    public Optional<StorageFile> create(Path file, Access access) {
        Set<PosixFilePermission> permissions = FileModes.ofFile(access);
        Set<OpenOption> options = Set.of(
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        FileAttribute<?>[] attributes = FileModes.atCreation(file, permissions);
        try {
            FileChannel channel = ChannelThreads.run(() -> FileChannel.open(file, options, attributes));
            FileModes.complete(file, permissions);
            return Optional.of(new PortableFile(file, channel, true));
        } catch (FileAlreadyExistsException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw FileFailure.of(file, "create the file", e);
        }
    }

    @Override
    public Optional<StorageFile> open(Path file, boolean writable) {
        Set<OpenOption> options = writable
                ? Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)
                : Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        return open(file, options);
    }

    /** Opens a file as {@link #open(Path, boolean)} does, with the given options. */
    public Optional<StorageFile> open(Path file, Set<OpenOption> options) {
        try {
            requireRegularFile(file); // a pipe would block its thread for ever
            FileChannel channel = ChannelThreads.run(() -> FileChannel.open(file, options));
            return Optional.of(new PortableFile(file, channel, options.contains(StandardOpenOption.WRITE)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw FileFailure.of(file, "open the file", e);
        }
    }

    @Override
    public boolean link(Path existing, Path name) {
        try {
            Files.createLink(name, existing);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } catch (UnsupportedOperationException e) {
            throw FileFailure.noHardLinks(existing, name, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw FileFailure.ofLinking(existing, name, e);
        }
    }

    @Override
    public boolean rename(Path source, Path target) {
        try {
            Files.move(source, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return true;
        } catch (IOException e) {
            if (e instanceof NoSuchFileException && !Files.exists(source, LinkOption.NOFOLLOW_LINKS)) {
                return false;
            }
            throw FileFailure.of(source, "rename to " + target, e);
        }
    }

    @Override
    public boolean delete(Path file) {
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new StorageException(file + ": cannot delete: it is a directory, not a file");
        }
        try {
            return Files.deleteIfExists(file);
        } catch (IOException e) {
            throw FileFailure.of(file, "delete", e);
        }
    }

    @Override
    public List<String> list(Path directory) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
            return names;
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (DirectoryIteratorException e) {
            throw FileFailure.of(directory, "list", Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw FileFailure.of(directory, "list", e);
        }
    }

    /** Flushes the directory; does nothing on Windows, where a directory cannot be opened as a file. */
    @Override
    public void syncDirectory(Path directory) {
        if (!FileModes.isPosix(directory)) {
            return;
        }
        try {
            ChannelThreads.run(() -> {
                try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                    channel.force(true);
                    return true;
                }
            });
        } catch (IOException e) {
            throw FileFailure.of(directory, "flush the directory", e);
        }
    }

    @Override
    public FileSystemKind fileSystem(Path directory) {
        try {
            Path real = directory.toRealPath();
            return new FileSystemKind(
                    isWindowsShare(real) ? "cifs" : Files.getFileStore(real).type());
        } catch (NoSuchFileException e) {
            throw FileFailure.of(directory, "find the type of its file system", e);
        } catch (IOException e) {
            return new FileSystemKind("unknown"); // its mount is not listed, as in a chroot
        }
    }

    /** Returns Linux' boot id; empty elsewhere. */
    @Override
    public String bootIdentity() {
        try (InputStream text = new FileInputStream("/proc/sys/kernel/random/boot_id")) {
            return new String(text.readAllBytes(), StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public String mountIdentity(Path directory) {
        return MountIdentity.of(directory, fileSystem(directory));
    }

    @Override
    public void populateForWrite(MemorySegment mapped) {
        PageTouch.forWrite(mapped);
    }

    /** Requests the pages and touches each. Without native calls the touching thread waits inside the page fault. */
    @Override
    public void populateForRead(MemorySegment mapped) {
        try {
            mapped.load();
            AccessErrors.deliver();
        } catch (InternalError e) {
            throw PageTouch.unreadable(mapped, e);
        }
    }

    /** Reads the pages from the file, so that the system caches them. If that fails, Java touches them. */
    @Override
    public void bringIn(MemorySegment mapped, Path file, long offset) {
        try {
            ChannelThreads.run(() -> {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
                    return read(channel, READ.get(), offset, offset + mapped.byteSize());
                }
            });
        } catch (IOException e) {
            populateForRead(mapped);
        }
    }

    private static long read(FileChannel channel, ByteBuffer block, long from, long to) throws IOException {
        long at = from;
        int read = 0;
        while (at < to && read >= 0) {
            block.clear().limit((int) Math.min(block.capacity(), to - at));
            read = channel.read(block, at);
            at += read;
        }
        return at;
    }

    @Override
    public boolean replacesOpenFiles() {
        return !WINDOWS;
    }

    /** Returns false on Windows, where Java reports every page as absent without asking the system. */
    @Override
    public boolean tellsResidence() {
        return !WINDOWS;
    }

    @Override
    public void expect(MemorySegment mapped, AccessOrder order) {
        assert mapped.isNative() : mapped; // Java has no call for it
    }

    @Override
    public Optional<String> preferHugePages(MemorySegment mapped) {
        return Optional.of("it needs native access, on Linux");
    }

    @Override
    public void releasePageTables(MemorySegment mapped) {
        assert mapped.isNative() : mapped; // Java has no way to do it
    }

    /** Locks nothing: Java has no way to do it. */
    @Override
    public Optional<String> lockPages(MemorySegment mapped) {
        assert mapped.isNative() : mapped;
        return Optional.of("it needs native access");
    }

    @Override
    public void unlockPages(MemorySegment mapped) {
        assert mapped.isNative() : mapped; // nothing is locked
    }

    @Override
    public boolean isResident(MemorySegment mapped, long offset, long bytes) {
        return mapped.asSlice(offset, bytes).isLoaded();
    }

    @Override
    public SharedWait sharedWait() {
        return ParkingWait.INSTANCE;
    }

    @Override
    public long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    private static void requireRegularFile(Path file) throws IOException {
        if (Files.isSymbolicLink(file)) {
            throw new StorageException(file + ": cannot open the file: it is a symbolic link, which Larder refuses");
        }
        if (!Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .isRegularFile()) {
            throw new StorageException(file + ": cannot open the file: it is not a regular file");
        }
    }

    private static boolean isWindowsShare(Path real) {
        return real.toString().startsWith("\\\\");
    }
}
