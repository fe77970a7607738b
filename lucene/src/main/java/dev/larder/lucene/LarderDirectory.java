package dev.larder.lucene;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.store.SingleInstanceLockFactory;
import org.jspecify.annotations.Nullable;

/**
 * A Lucene index in memory outside the heap, with or without a folder in which it is durable.
 *
 * {@snippet :
 * try (Directory directory = LarderDirectory.open(Path.of("index"));
 *         IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
 *     writer.addDocument(document);
 *     writer.commit(); // in the folder, flushed: as with FSDirectory
 * }
 * }
 *
 * <p>Every file is one piece of memory, on huge pages if the system provides them. Inputs read bytes and vectors in place. The
 * memory of a deleted file is reused once its last input is closed.
 *
 * <p>With a folder, new files are written there in the background. {@link #sync} and {@link #syncMetaData} wait for that and
 * make them durable, so a commit means the same as with {@code FSDirectory}. Each of the two opens an index that the other has
 * written. Existing files are loaded into memory as {@link DirectoryOptions#loading} says. A file that another process has
 * replaced is noticed when it is opened, and a deleted one when the names are listed.
 *
 * <p>Any thread may call any method. A disk error is an {@link IOException}; a file for which there is no memory is a
 * {@link BudgetFullException}.
 */
public final class LarderDirectory extends Directory {

    private final DirectoryOptions options;
    private final @Nullable Folder folder;
    private final Counters counters = new Counters();
    private final FileMemory memory;
    private final @Nullable Loader loader;
    private final Background writing = new Background("write", 1);
    private final Flushing flushing = new Flushing();
    private final LockFactory locks = new SingleInstanceLockFactory();
    private final AtomicLong temporaries = new AtomicLong();
    private final Map<String, IndexFile> files = new HashMap<>(); // guarded by itself

    /** Held while a name moves in the folder and here, and while names are listed: else a renamed file seems to be deleted. */
    private final Object naming = new Object();

    private volatile boolean isOpen = true; // closed under the lock of the files

    private LarderDirectory(@Nullable Folder folder, DirectoryOptions options) {
        this.options = options;
        this.folder = folder;
        this.memory = new FileMemory(options, counters, this::known);
        this.loader = folder == null ? null : new Loader(folder, memory, options, counters);
    }

    /** Opens a folder with {@link DirectoryOptions#defaults}. A missing folder is created. */
    public static LarderDirectory open(Path folder) throws IOException {
        return open(folder, DirectoryOptions.defaults());
    }

    /**
     * Opens a folder. With {@link Loading#EAGER} it returns when the files are in memory.
     *
     * @throws BudgetFullException if the files do not fit, and the options refuse such files
     * @throws NoSuchFileException if the folder is missing and is opened read-only
     */
    public static LarderDirectory open(Path folder, DirectoryOptions options) throws IOException {
        LarderDirectory directory = new LarderDirectory(Folder.open(folder, options.readOnly()), options);
        try {
            directory.loadEagerly();
            return directory;
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    /** Opens an empty directory without a folder, with {@link DirectoryOptions#defaults}. Closing it discards its files. */
    public static LarderDirectory inMemory() {
        return inMemory(DirectoryOptions.defaults());
    }

    /**
     * Opens an empty directory without a folder. Closing it discards its files. There is no disk to leave a file on, so a file
     * that has no room is refused, whatever {@link DirectoryOptions#whenFull} says.
     *
     * @throws IllegalArgumentException for read-only options
     */
    public static LarderDirectory inMemory(DirectoryOptions options) {
        if (options.readOnly()) {
            throw new IllegalArgumentException("readOnly: a directory without a folder would stay empty");
        }
        return new LarderDirectory(null, options.withWhenFull(WhenFull.REFUSE));
    }

    private void loadEagerly() throws IOException {
        if (loader == null || folder == null || options.loading() != Loading.EAGER) {
            return;
        }
        Deque<IndexFile> hottestFirst = new ArrayDeque<>();
        for (String name :
                FileHeat.hottestFirst(folder.list()).reversed()) { // the hottest file is found last, as if opened last
            if (folder.isLoadable(name)) {
                findIfThere(name).ifPresent(hottestFirst::addFirst);
            }
        }
        for (IndexFile file : hottestFirst) {
            loader.load(file);
        }
        awaitLoaded();
    }

    /** Finds a file that was listed, unless another process has deleted it meanwhile. */
    private Optional<IndexFile> findIfThere(String name) throws IOException {
        try {
            return Optional.of(find(name));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /**
     * Waits until no file is being loaded. Inputs opened afterwards are served from memory, if their file was to be loaded and
     * there was room.
     *
     * @throws IOException if loading a file failed since the last call; that file is read through a mapping
     * @throws InterruptedIOException if the thread was interrupted
     * @throws IllegalStateException if the {@link LoadProgress} of this directory calls this
     */
    public void awaitLoaded() throws IOException {
        ensureOpen();
        if (loader != null) {
            try {
                loader.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while files were being loaded");
            }
        }
    }

    @Override
    public String[] listAll() throws IOException {
        ensureOpen();
        if (folder == null) {
            synchronized (files) {
                return files.keySet().stream().sorted().toArray(String[]::new);
            }
        }
        return listAndForgetVanished(folder);
    }

    /**
     * Lists the names, and lets go of files that another process has deleted. Only a file that was in the folder before the
     * listing can be one of them.
     */
    private String[] listAndForgetVanished(Folder from) throws IOException {
        String[] names;
        List<IndexFile> vanished;
        synchronized (naming) {
            List<IndexFile> before =
                    known().stream().filter(IndexFile::isInFolder).toList();
            names = from.list();
            vanished = before.stream()
                    .filter(file -> Arrays.binarySearch(names, file.name()) < 0)
                    .toList();
        }
        vanished.forEach(file -> forget(file.name(), file));
        return names;
    }

    /** Deletes from the folder first: as long as this directory knows the file, no thread looks for it in the folder. */
    @Override
    public void deleteFile(String name) throws IOException {
        ensureWritable(name);
        IndexFile file = known(name);
        if (file == null && folder == null) {
            throw missing(name);
        }
        if (file != null) {
            file.stopWriting();
        }
        try {
            if (folder != null) {
                folder.delete(name);
            }
        } catch (NoSuchFileException e) {
            forget(name, file);
            throw e;
        }
        forget(name, file);
    }

    private void forget(String name, @Nullable IndexFile file) {
        if (file == null) {
            return;
        }
        synchronized (files) {
            files.remove(name, file);
        }
        file.delete();
    }

    @Override
    public long fileLength(String name) throws IOException {
        ensureOpen();
        IndexFile file = known(name);
        if (file != null && !file.isInFolder()) {
            return file.lengthBytes();
        }
        if (folder == null) {
            throw missing(name);
        }
        return folder.lengthBytes(name);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
        ensureWritable(name);
        if (folder != null) {
            folder.create(name, context);
        }
        return output(name, context);
    }

    @Override
    public IndexOutput createTempOutput(String prefix, String suffix, IOContext context) throws IOException {
        ensureWritable(prefix);
        if (folder != null) {
            return output(folder.createTemporary(prefix, suffix, context), context);
        }
        while (true) {
            String name = getTempFileName(prefix, suffix, temporaries.getAndIncrement());
            if (known(name) == null) {
                return output(name, context);
            }
        }
    }

    private IndexOutput output(String name, IOContext context) throws IOException {
        IndexFile file = IndexFile.written(name);
        boolean isAdded = false;
        try {
            if (folder != null) {
                file.writeBackBy(new WriteBack(file, folder, writing));
            }
            add(file);
            isAdded = true;
        } finally {
            if (!isAdded) {
                file.delete();
                takeBack(name);
            }
        }
        return new LarderIndexOutput("LarderIndexOutput(" + describe(name) + ")", file, memory, expectedBytes(context));
    }

    /** Deletes a file that was just created. The caller has no output of it, and may create it again. */
    private void takeBack(String name) {
        try {
            if (folder != null) {
                folder.delete(name);
            }
        } catch (IOException e) {
            System.getLogger("dev.larder.lucene")
                    .log(System.Logger.Level.WARNING, name + ": cannot delete the empty file", e);
        }
    }

    private void add(IndexFile file) throws FileAlreadyExistsException {
        IndexFile before;
        synchronized (files) {
            ensureOpen(); // close() has to know every file
            before = files.get(file.name());
            if (before != null && folder == null) {
                throw new FileAlreadyExistsException(file.name());
            }
            files.put(file.name(), file);
        }
        if (before != null) {
            before.delete(); // the folder no longer had it
        }
    }

    /** Returns the length that a new file may reach; 0 if unknown. */
    private static long expectedBytes(IOContext context) {
        long merged = context.mergeInfo() == null ? 0 : context.mergeInfo().estimatedMergeBytes();
        long flushed = context.flushInfo() == null ? 0 : context.flushInfo().estimatedSegmentSize();
        return Math.max(merged, flushed);
    }

    /** Waits until the folder's file system has the files, and flushes them. Does nothing without a folder. */
    @Override
    public void sync(Collection<String> names) throws IOException {
        ensureWritable("sync");
        if (folder == null) {
            return;
        }
        for (String name : names) {
            awaitWritten(known(name));
        }
        for (String name : names) {
            flush(folder, name);
        }
        names.stream().filter(this::isInMemory).forEach(folder::dropCache);
    }

    private static void awaitWritten(@Nullable IndexFile file) throws IOException {
        Optional<WriteBack> back = writeBack(file);
        if (back.isPresent()) {
            back.get().await();
        }
    }

    /**
     * The system reports a failed flush once, so the file is written again before the next flush. A file that cannot be opened
     * was not flushed, and loses nothing.
     */
    private void flush(Folder to, String name) throws IOException {
        try (FileChannel channel = to.openForWriting(name)) {
            flush(channel, name);
        }
    }

    private void flush(FileChannel channel, String name) throws IOException {
        try {
            flushing.flush(channel);
        } catch (IOException e) {
            writeBack(known(name)).ifPresent(back -> back.flushFailed(e));
            throw e;
        }
    }

    private static Optional<WriteBack> writeBack(@Nullable IndexFile file) {
        return file == null ? Optional.empty() : file.writeBack();
    }

    private boolean isInMemory(String name) {
        IndexFile file = known(name);
        return file != null && file.isInMemory();
    }

    @Override
    public void syncMetaData() throws IOException {
        ensureWritable("syncMetaData");
        if (folder != null) {
            folder.syncNames();
        }
    }

    /**
     * Renames a file. In a folder an existing file of the new name is replaced, as with {@code FSDirectory}.
     *
     * @throws FileAlreadyExistsException without a folder, if there is a file of the new name; nothing has changed then
     */
    @Override
    public void rename(String source, String dest) throws IOException {
        ensureWritable(source);
        IndexFile file = known(source);
        if (folder == null && file == null) {
            throw missing(source);
        }
        awaitWritten(file);
        IndexFile replaced;
        synchronized (naming) {
            if (folder != null) {
                folder.rename(source, dest);
            }
            replaced = moveEntry(source, dest);
        }
        if (replaced != null) {
            replaced.delete();
        }
    }

    private @Nullable IndexFile moveEntry(String source, String dest) throws FileAlreadyExistsException {
        synchronized (files) {
            if (folder == null && files.containsKey(dest)) {
                throw new FileAlreadyExistsException(describe(dest));
            }
            IndexFile file = files.remove(source);
            if (file == null) {
                return files.remove(dest);
            }
            file.rename(dest);
            return files.put(dest, file);
        }
    }

    /** Opens a file from memory if it is there by now, else through a mapping of the folder's file. */
    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
        ensureOpen();
        Optional<IndexFile.Source> source = Optional.empty();
        while (source.isEmpty()) {
            IndexFile file = find(name);
            source = open(file);
            if (source.isEmpty()) {
                forget(name, file); // another file has its name by now
            }
        }
        String description = "LarderIndexInput(" + describe(name) + ")";
        return new LarderIndexInput(description, source.get(), context);
    }

    private Optional<IndexFile.Source> open(IndexFile file) throws IOException {
        Optional<IndexFile.Source> inMemory = file.openInMemory();
        if (inMemory.isEmpty() && loader != null && options.loading() != Loading.NEVER) {
            loader.load(file);
            inMemory = file.openInMemory();
        }
        return inMemory.isPresent() || folder == null ? inMemory : file.openOnDisk(folder);
    }

    private IndexFile find(String name) throws IOException {
        Optional<IndexFile> found = Optional.empty();
        while (found.isEmpty()) {
            IndexFile file = known(name);
            Folder.Identity before = file == null ? null : file.identity();
            if (file != null && before == null) {
                return file;
            }
            if (folder == null) {
                throw missing(name);
            }
            found = find(name, before, folder.identity(name));
        }
        return found.get();
    }

    /**
     * Returns the folder's file with a name: the known one, if it is still the same file. Empty if the known one got another
     * identity while the folder was looked at.
     *
     * @param before the identity of the known file before the look; null if no file was known
     */
    private Optional<IndexFile> find(String name, Folder.@Nullable Identity before, Folder.Identity now) {
        IndexFile stale;
        IndexFile found = IndexFile.found(name, now);
        synchronized (files) {
            ensureOpen();
            stale = files.get(name);
            if (stale != null && stale.isStill(now)) {
                return Optional.of(stale);
            }
            if (stale != null && !Objects.equals(stale.identity(), before)) {
                return Optional.empty();
            }
            files.put(name, found);
        }
        if (stale != null) {
            stale.delete();
        }
        return Optional.of(found);
    }

    @Override
    public Lock obtainLock(String name) throws IOException {
        ensureWritable(name);
        return folder == null ? locks.obtainLock(this, name) : folder.lock(name);
    }

    @Override
    public Set<String> getPendingDeletions() throws IOException {
        return folder == null ? Set.of() : folder.pendingDeletions();
    }

    /**
     * Closes the directory. The folder's file system then has all that was written, flushed or not, as with
     * {@code FSDirectory}. Without a folder the files are gone. The memory of a file with open inputs is given back when these
     * are closed.
     *
     * @throws IllegalStateException if the {@link LoadProgress} of this directory calls this; nothing has changed then
     */
    @Override
    public void close() throws IOException {
        if (loader != null) {
            loader.requireOutsideOfListener("close the directory");
        }
        synchronized (files) {
            if (!isOpen) {
                return;
            }
            isOpen = false;
        }
        try {
            awaitAllWritten();
        } finally {
            letGo();
        }
    }

    private void awaitAllWritten() throws IOException {
        IOException failure = null;
        for (IndexFile file : known()) {
            try {
                awaitWritten(file);
            } catch (IOException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void letGo() throws IOException {
        known().forEach(IndexFile::delete); // running loads end early
        if (loader != null) {
            loader.close();
        }
        known().forEach(IndexFile::delete);
        writing.finish();
        flushing.finish();
        memory.close();
        if (folder != null) {
            folder.close();
        }
    }

    /** Returns the current contents and the counters. Queries the kernel, so it is not meant for a call every millisecond. */
    public DirectoryStatistics statistics() {
        List<IndexFile> all = known();
        List<IndexFile> here = all.stream().filter(IndexFile::isInMemory).toList();
        return new DirectoryStatistics(
                here.size(),
                all.size() - here.size(),
                here.stream().mapToLong(IndexFile::lengthBytes).sum(),
                options.budget().usedBytes(),
                memory.hugeBytes(),
                here.stream().mapToLong(IndexFile::lockedBytes).sum(),
                counters.loads.sum(),
                counters.loadedBytes.sum(),
                counters.loadNanos.sum(),
                counters.leftOnDisk.sum(),
                counters.refused.sum(),
                counters.evicted.sum(),
                counters.recycledBytes.sum(),
                all.stream()
                        .flatMap(file -> file.writeBack().stream())
                        .mapToLong(WriteBack::unwrittenBytes)
                        .sum());
    }

    private List<IndexFile> known() {
        synchronized (files) {
            return List.copyOf(files.values());
        }
    }

    private @Nullable IndexFile known(String name) {
        synchronized (files) {
            return files.get(name);
        }
    }

    @Override
    protected void ensureOpen() {
        if (!isOpen) {
            throw new AlreadyClosedException("closed: " + this);
        }
    }

    private void ensureWritable(String what) throws AccessDeniedException {
        ensureOpen();
        if (options.readOnly()) {
            throw new AccessDeniedException(describe(what), null, "the directory was opened read-only");
        }
    }

    private NoSuchFileException missing(String name) {
        return new NoSuchFileException(describe(name));
    }

    private String describe(String name) {
        return folder == null ? "memory: " + name : folder.path(name).toString();
    }

    @Override
    public String toString() {
        return "LarderDirectory(" + (folder == null ? "memory" : folder.path()) + ", " + options.budget() + ")";
    }
}
