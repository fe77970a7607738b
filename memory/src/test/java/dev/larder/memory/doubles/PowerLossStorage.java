package dev.larder.memory.doubles;

import dev.larder.memory.Access;
import dev.larder.memory.AccessOrder;
import dev.larder.memory.FileSystemKind;
import dev.larder.memory.SharedWait;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A storage in memory whose power can be cut at any instant: a page cache, which mappings share, and a disk.
 *
 * <p>A page reaches the disk when it is forced, when a write-back picks it, or never. Names and file sizes likewise
 * exist as processes see them and as the disk has them. {@link #image} is what the disk could hold if the
 * power failed now: what was forced, and any part of what was not. It takes no snapshot: threads continue to store while
 * page after page is copied, as they do under a disk's controller. But no flush ends and no name changes meanwhile.
 */
public final class PowerLossStorage implements Storage, AutoCloseable {

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    /** Fair, because an image must get the lock in the midst of a flush. */
    private final ReentrantLock lock = new ReentrantLock(true);

    private final Arena arena = Arena.ofShared();
    private final int number = NUMBERS.incrementAndGet();
    private final SplittableRandom random;
    private final PowerLossNode.Directory root = new PowerLossNode.Directory();
    private Runnable beforeEachStep = () -> {};
    private long forces;
    private long failingForce;

    /** Creates an empty storage; the seed decides which pages its write-backs pick. */
    public PowerLossStorage(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Sets a listener that runs before each call that changes anything, and before each page that a flush writes. */
    public void beforeEachStep(Runnable listener) {
        locked(() -> beforeEachStep = listener);
    }

    /** Lets the n-th flush from now fail, as in a kernel: its pages are clean and were never written. */
    public void failForce(long number) {
        locked(() -> failingForce = forces + number);
    }

    /** Returns what the disk could hold if the power failed now, as the storage of the next boot. */
    public PowerLossStorage image(SplittableRandom choices) {
        PowerLossStorage image = new PowerLossStorage(choices.nextLong());
        return locked(() -> {
            new PowerLossImage(image, choices).take(root, image.root);
            return image;
        });
    }

    /** Writes dirty pages back, each with a probability, as the kernel may at any time. */
    public void writeBackSome(double probability) {
        locked(() -> writeBackSome(root, probability));
    }

    private boolean writeBackSome(PowerLossNode.Directory directory, double probability) {
        for (PowerLossNode node : directory.names.values()) {
            switch (node) {
                case PowerLossNode.Directory below -> writeBackSome(below, probability);
                case PowerLossContent content -> writeBackSome(content, 0, content.pages(), probability);
            }
        }
        return true;
    }

    /** Makes everything durable, names and sizes too, as an orderly shutdown does. */
    public void syncAll() {
        change(() -> syncAll(root));
    }

    private void syncAll(PowerLossNode.Directory directory) {
        directory.sync();
        for (PowerLossNode node : directory.names.values()) {
            switch (node) {
                case PowerLossNode.Directory below -> syncAll(below);
                case PowerLossContent content -> {
                    writeBackSome(content, 0, content.pages(), 2);
                    content.durableBytes = content.sizeBytes;
                }
            }
        }
    }

    private void writeBackSome(PowerLossContent content, int from, int to, double probability) {
        for (int page = from; page < to; page++) {
            if (random.nextDouble() < probability) {
                content.clean(page);
            }
        }
    }

    /** Writes the files of a directory, as processes see them, into a real one, to inspect the findings of a seed. */
    public void save(Path directory, Path target) throws IOException {
        Files.createDirectories(target);
        for (String name : list(directory)) {
            PowerLossContent content = (PowerLossContent)
                    Objects.requireNonNull(directory(directory).names.get(name));
            byte[] bytes = content.cache.asSlice(0, content.sizeBytes).toArray(ValueLayout.JAVA_BYTE);
            Files.write(target.resolve(name), bytes);
        }
    }

    /** Cuts a file as another program might, on the disk too; no process has the file mapped. */
    public void truncate(Path file, long bytes) {
        change(() -> {
            PowerLossContent content = (PowerLossContent) Objects.requireNonNull(find(file));
            content.resize(bytes, arena);
            content.durableBytes = bytes;
        });
    }

    /** Gives the memory back; mappings must not be touched afterwards. */
    @Override
    public void close() {
        arena.close();
    }

    <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    /** Runs an action that changes files or names, after the listener has run. */
    void change(Runnable action) {
        lock.lock();
        try {
            beforeEachStep.run();
            action.run();
        } finally {
            lock.unlock();
        }
    }

    void resize(PowerLossContent content, long bytes) {
        if (bytes < content.sizeBytes) {
            throw new StorageException("cannot allocate " + bytes + " bytes: there are " + content.sizeBytes);
        }
        content.resize(bytes, arena);
    }

    /** Adds a file that the disk had when the power came back. */
    PowerLossContent restored(PowerLossContent content, long bytes) {
        PowerLossContent restored = new PowerLossContent();
        restored.resize(bytes, arena);
        restored.load(content);
        return restored;
    }

    /** Writes the dirty pages of a range, each in a step of its own, then the size. */
    void force(PowerLossContent content, long offset, long length) {
        boolean fails = locked(() -> ++forces == failingForce);
        int last = (int) ((offset + length - 1) / PowerLossContent.PAGE_BYTES);
        for (int page = (int) (offset / PowerLossContent.PAGE_BYTES); page <= last && length > 0; page++) {
            force(content, page, fails);
        }
        if (fails) {
            throw new StorageException("cannot flush: Input/output error");
        }
        change(() -> content.durableBytes = content.sizeBytes);
    }

    private void force(PowerLossContent content, int page, boolean fails) {
        lock.lock();
        try {
            if (fails) {
                content.lose(page);
            } else if (content.isDirty(page)) {
                beforeEachStep.run();
                content.clean(page);
            }
        } finally {
            lock.unlock();
        }
    }

    void writeBack(PowerLossContent content, long offset, long length) {
        int from = (int) (offset / PowerLossContent.PAGE_BYTES);
        int to = (int) ((offset + length + PowerLossContent.PAGE_BYTES - 1) / PowerLossContent.PAGE_BYTES);
        change(() -> writeBackSome(content, from, Math.min(to, content.pages()), random.nextDouble()));
    }

    private PowerLossNode.Directory directory(Path path) {
        return findDirectory(path)
                .orElseThrow(() -> new StorageException(path + ": cannot find: no such file or directory"));
    }

    private Optional<PowerLossNode.Directory> findDirectory(Path path) {
        PowerLossNode.Directory found = root;
        for (Path name : path) {
            if (!(found.names.get(name.toString()) instanceof PowerLossNode.Directory below)) {
                return Optional.empty();
            }
            found = below;
        }
        return Optional.of(found);
    }

    private Map<String, PowerLossNode> siblings(Path file) {
        Path parent = file.getParent();
        return parent == null ? root.names : directory(parent).names;
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    private @Nullable PowerLossNode find(Path file) {
        return siblings(file).get(name(file));
    }

    @Override
    public String identity(Path directory) {
        return "power-loss-" + number + ":" + directory;
    }

    @Override
    public boolean isNative() {
        return false;
    }

    @Override
    public void createDirectories(Path directory, Access access) {
        PowerLossNode.Directory at = root;
        for (Path name : directory) {
            at = createDirectory(at, name.toString());
        }
    }

    private PowerLossNode.Directory createDirectory(PowerLossNode.Directory parent, String name) {
        if (parent.names.get(name) instanceof PowerLossNode.Directory there) {
            return there;
        }
        PowerLossNode.Directory made = new PowerLossNode.Directory();
        change(() -> parent.names.put(name, made));
        change(parent::sync);
        return made;
    }

    @Override
    public Optional<StorageFile> create(Path file, Access access) {
        return locked(() -> {
            beforeEachStep.run();
            PowerLossContent content = new PowerLossContent();
            boolean there = siblings(file).putIfAbsent(name(file), content) != null;
            return there ? Optional.empty() : Optional.of(new PowerLossFile(this, file, content));
        });
    }

    @Override
    public Optional<StorageFile> open(Path file, boolean writable) {
        return locked(() -> find(file) instanceof PowerLossContent content
                ? Optional.of(new PowerLossFile(this, file, content))
                : Optional.empty());
    }

    @Override
    public boolean link(Path existing, Path name) {
        return locked(() -> {
            beforeEachStep.run();
            PowerLossNode node = find(existing);
            if (node == null) {
                throw new StorageException(existing + ": cannot link: no such file or directory");
            }
            return siblings(name).putIfAbsent(name(name), node) == null;
        });
    }

    @Override
    public boolean rename(Path source, Path target) {
        return locked(() -> {
            beforeEachStep.run();
            PowerLossNode node = siblings(source).remove(name(source));
            if (node != null) {
                siblings(target).put(name(target), node);
            }
            return node != null;
        });
    }

    @Override
    public boolean delete(Path file) {
        return locked(() -> {
            beforeEachStep.run();
            return siblings(file).remove(name(file)) != null;
        });
    }

    @Override
    public List<String> list(Path directory) {
        return locked(() -> findDirectory(directory).stream()
                .flatMap(found -> found.names.entrySet().stream())
                .filter(entry -> entry.getValue() instanceof PowerLossContent)
                .map(Map.Entry::getKey)
                .toList());
    }

    @Override
    public void syncDirectory(Path directory) {
        change(() -> directory(directory).sync());
    }

    @Override
    public FileSystemKind fileSystem(Path directory) {
        return new FileSystemKind("ext4");
    }

    /** Every image is of another boot. */
    @Override
    public String bootIdentity() {
        return "boot-" + number;
    }

    @Override
    public String mountIdentity(Path directory) {
        return "mount-" + number;
    }

    @Override
    public void populateForWrite(MemorySegment mapped) {}

    @Override
    public void populateForRead(MemorySegment mapped) {}

    @Override
    public void releasePageTables(MemorySegment mapped) {}

    @Override
    public Optional<String> preferHugePages(MemorySegment mapped) {
        return Optional.of("there are no pages");
    }

    @Override
    public Optional<String> lockPages(MemorySegment mapped) {
        return Optional.of("it is memory already");
    }

    @Override
    public void unlockPages(MemorySegment mapped) {}

    @Override
    public void expect(MemorySegment mapped, AccessOrder order) {}

    /** Returns false: every page that is read counts as cold, so that readers check what they can. */
    @Override
    public boolean isResident(MemorySegment mapped, long offset, long bytes) {
        return false;
    }

    @Override
    public SharedWait sharedWait() {
        return SystemStorage.portable().sharedWait();
    }

    @Override
    public long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }
}
