package dev.larder.memory.doubles;

import dev.larder.memory.Access;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The portable storage with the refusals of Windows, and stricter.
 *
 * <p>A file that is open or mapped, in this process and through this object, is not deleted and not replaced by a
 * rename, under any of its names. Nothing is written over a byte that another open file has locked, or that any
 * file shares.
 */
public final class StrictStorage extends DelegatingStorage {

    private final Map<Object, FileUse> uses = new ConcurrentHashMap<>();

    /** Creates a strict storage over the portable one. */
    public StrictStorage() {
        super(SystemStorage.portable());
    }

    @Override
    public Optional<StorageFile> create(Path file, Access access) {
        return super.create(file, access).flatMap(this::strict);
    }

    @Override
    public Optional<StorageFile> open(Path file, boolean writable) {
        return super.open(file, writable).flatMap(this::strict);
    }

    @Override
    public boolean replacesOpenFiles() {
        return false;
    }

    @Override
    public boolean rename(Path source, Path target) {
        if (Files.exists(source, LinkOption.NOFOLLOW_LINKS)) {
            requireUnused(target, "replace");
        }
        return super.rename(source, target);
    }

    @Override
    public boolean delete(Path file) {
        requireUnused(file, "delete");
        return super.delete(file);
    }

    /** Returns empty if the name went before this class could refuse that: then there was no file to open. */
    private Optional<StorageFile> strict(StorageFile file) {
        Optional<Object> key = key(file.path());
        if (key.isEmpty()) {
            file.close();
        }
        return key.map(known -> new StrictFile(file, uses.computeIfAbsent(known, absent -> new FileUse())));
    }

    private void requireUnused(Path file, String what) {
        Optional<FileUse> use = key(file).map(uses::get);
        if (use.isPresent() && use.get().isUsed()) {
            throw new StorageException(file + ": cannot " + what + ": the file is open or mapped");
        }
    }

    /** Returns the key that all names of a file have in common; empty when there is no file. */
    private static Optional<Object> key(Path file) {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return Optional.of(Objects.requireNonNullElse(attributes.fileKey(), file.toAbsolutePath()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
