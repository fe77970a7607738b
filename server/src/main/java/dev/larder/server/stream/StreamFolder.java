package dev.larder.server.stream;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.ClosingSteps;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.layer.MissingPages;
import dev.larder.map.LarderMap;
import dev.larder.memory.LarderException;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a store, by number: a folder each, and their records.
 *
 * <pre>
 * DIRECTORY/records     a map: see StreamRecords
 * DIRECTORY/journal     what was added last to any of them: see StreamJournal
 * DIRECTORY/17/...      the queue of stream 17
 * </pre>
 *
 * <p>A queue is opened when its stream is used. If many queues are open, those unused for longest are closed. Removed streams
 * are deleted in the background. Thread-safe.
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public final class StreamFolder implements AutoCloseable {

    /** How many entries approximate trimming of a stream removes at once, by default. */
    public static final int NODE_ENTRIES = 100;

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");
    private static final int OPEN_MAX = 1000;
    private static final int SHARE_CLOSED = 8;
    private static final long FIRST_SEGMENT_BYTES = 64 << 10;
    private static final int SHARE_OF_SEGMENT = 4;
    private static final int RECORD_ROOM_BYTES = 1024;

    private final Path directory;
    private final StreamRecords records;
    private final LogOptions options;
    private final Map<Long, Stream> streams = new ConcurrentHashMap<>();
    private final Set<StreamUse> open = ConcurrentHashMap.newKeySet();
    private final StreamCommits commits;

    /** Streams whose queues lack entries that the journal has, and why. */
    private final Map<Long, LarderException> unfinished = new ConcurrentHashMap<>();

    private final AtomicLong lastNumber = new AtomicLong();
    private final AtomicLong tick = new AtomicLong();
    private final int entryMaxBytes;

    /** Whether streams may have entries that have left memory. */
    private final MissingPages missingPages = new MissingPages(() -> {});

    /** How many streams have a closed queue. */
    private final AtomicInteger resting = new AtomicInteger();

    /** Whether an opening takes the streams back to a moment. What that needs stays until a later moment is kept. */
    private final boolean kept;

    private final Set<StreamUse> trimmed = ConcurrentHashMap.newKeySet();
    private final Queue<Long> removed = new ConcurrentLinkedQueue<>();
    private final List<StreamUse> keptTrims = new ArrayList<>();
    private final List<Long> keptRemovals = new ArrayList<>();
    private final PreparedStreams prepared = new PreparedStreams(this::prepare);
    private final NumberedStreams ahead = new NumberedStreams(this::prepare, this::inBackgroundIfThereIs);
    private volatile @Nullable Executor background;
    private volatile @Nullable Executor flushing;

    /**
     * Creates the streams of a folder. Nothing is read before {@link #load}.
     *
     * @param records the map of the records, which is closed with this
     * @param log the options of the queues' logs
     * @param largestSegmentBytes the size that segments of a queue grow to; an entry may take a quarter at most
     * @param keptNumber in a kept store, the last number of a stream at its moment; else empty
     */
    public StreamFolder(
            Path directory,
            LarderMap<byte[], byte[]> records,
            LogOptions log,
            long largestSegmentBytes,
            OptionalLong keptNumber) {
        this.directory = directory;
        this.kept = keptNumber.isPresent();
        this.lastNumber.set(keptNumber.orElse(0));
        this.records = new StreamRecords(records);
        this.options = log.withLayout(layout ->
                layout.withFirstSegmentBytes(FIRST_SEGMENT_BYTES).withLargestSegmentBytes(largestSegmentBytes));
        this.commits = new StreamCommits(directory, options, task -> run(task, flushing));
        this.entryMaxBytes = (int)
                Math.min(largestSegmentBytes / SHARE_OF_SEGMENT - RECORD_ROOM_BYTES, Integer.MAX_VALUE - (64 << 10));
    }

    /**
     * Sets the executors for slow work. Until then the caller's thread does that work, and no folders are made in advance.
     *
     * @param files deletes folders, and makes some in advance; it may block for long
     * @param flushes syncs the queues whose entries are in the journal alone
     */
    public void background(Executor files, Executor flushes) {
        background = files;
        flushing = flushes;
    }

    void inBackground(Runnable task) {
        run(task, background);
    }

    private void run(Runnable task, @Nullable Executor executor) {
        Runnable guarded = () -> {
            try {
                task.run();
            } catch (RuntimeException e) { // it is tried again after later changes, or at the next start
                LOGGER.log(System.Logger.Level.WARNING, directory + ": " + e, e);
            }
        };
        if (executor == null) {
            guarded.run();
        } else {
            executor.execute(guarded);
        }
    }

    private void inBackgroundIfThereIs(Runnable task) {
        if (background != null) {
            inBackground(task);
        }
    }

    /** Returns the largest size of an entry in bytes, with its fields' names. */
    public int entryMaxBytes() {
        return entryMaxBytes;
    }

    /** Returns whether an entry is small enough to be added. */
    public boolean fits(Fields fields) {
        return EntryFrame.lengthBytes(fields) <= entryMaxBytes;
    }

    StreamRecords records() {
        return records;
    }

    /** Loads the streams that have a name, and removes what is left of others. */
    public void load(Set<Long> named) {
        if (!kept && StreamJournal.isThere(directory, options)) {
            try (StreamJournal journal = StreamJournal.open(directory, options)) {
                unfinished.putAll(new JournalReplay(journal, this::openQueue).run(named));
            }
            unfinished.values().stream().findFirst().ifPresent(commits::keep);
        }
        named.forEach(this::add);
        new StreamLoading(records, this::find, this::sawNumber).run();
        streams.values().forEach(stream -> stream.producers().loaded());
        List<Long> left = new ArrayList<>();
        for (long number : folders()) {
            boolean comesAgain = kept && number > lastNumber.get(); // it was made after the moment
            if (!comesAgain) {
                sawNumber(number);
            }
            if (!comesAgain && !named.contains(number)) {
                left.add(number);
            }
        }
        left.forEach(number -> inBackground(() -> deleteFolder(number)));
    }

    private void sawNumber(long number) {
        lastNumber.accumulateAndGet(number, Math::max);
    }

    private List<Long> folders() {
        List<Long> numbers = new ArrayList<>();
        if (!Files.isDirectory(directory)) {
            return numbers; // they are not in the system's files
        }
        try (java.util.stream.Stream<Path> entries = Files.list(directory)) {
            entries.map(path -> path.getFileName().toString())
                    .filter(name -> name.matches("[1-9][0-9]{0,17}"))
                    .forEach(name -> numbers.add(Long.parseLong(name)));
        } catch (IOException e) {
            throw new StorageException(directory + ": cannot list the folders of streams", e);
        }
        return numbers;
    }

    private void add(long number) {
        sawNumber(number);
        streams.put(number, new Stream(this, number));
    }

    /** Makes a stream that has no name yet. */
    private Stream prepare() {
        return prepare(lastNumber.incrementAndGet());
    }

    private Stream prepare(long number) {
        Stream stream = new Stream(this, number);
        if (stream.use()) {
            stream.close();
        }
        return stream;
    }

    private @Nullable Stream find(long number) {
        return streams.get(number);
    }

    /** Creates an empty stream, and returns its number. */
    public long create() {
        Stream stream = kept ? ahead.next(lastNumber.incrementAndGet()) : createAny();
        streams.put(stream.number(), stream);
        return stream.number();
    }

    /** Returns whether this many streams are made in advance, so that {@link #create} makes no files. */
    public boolean areReady(int count) {
        return kept || prepared.has(count);
    }

    /** Makes this many streams in advance. */
    public void makeReady(int count) {
        prepared.make(count);
    }

    private Stream createAny() {
        Stream ready = prepared.take();
        if (background != null && prepared.begin()) {
            inBackground(prepared::make);
        }
        return ready == null ? new Stream(this, lastNumber.incrementAndGet()) : ready;
    }

    /** Returns whether a stream exists. */
    public boolean contains(long number) {
        return find(number) != null;
    }

    /** Returns a stream, locked; null if it was removed meanwhile. */
    public @Nullable Stream use(long number) {
        Stream stream = find(number);
        return stream != null && stream.use() ? stream : null;
    }

    /**
     * Notes the turn of the name that a stream has now, or is about to get. Returns the turn before; -1 if the stream had no
     * name, or is not there.
     */
    public long named(long number, long turn) {
        Stream stream = find(number);
        return stream == null ? -1 : stream.named(turn);
    }

    /**
     * Removes a stream whose name has expired. A number may have been given again since that name was written: then the stream
     * has a name of another turn, and stays.
     */
    public void removeExpired(long number, long turn) {
        Stream stream = find(number);
        if (stream != null && stream.isNamed(turn)) {
            remove(number);
        }
    }

    /** Removes a stream, which no longer has a name. */
    public void remove(long number) {
        Stream stream = streams.remove(number);
        if (stream == null) {
            return; // removed already
        }
        stream.refuse();
        commits.forget(stream);
        try {
            inBackground(() -> deleteRemoved(stream));
        } catch (RuntimeException | Error e) { // no thread for it: the next start deletes what is left
            if (kept) {
                throw e;
            }
            LOGGER.log(System.Logger.Level.WARNING, directory + ": cannot delete stream " + number + ": " + e, e);
        }
    }

    private void deleteRemoved(Stream stream) {
        closeRemoved(stream);
        open.remove(stream);
        stream.removeAllRecords();
        if (kept) {
            removed.add(stream.number());
        } else {
            deleteFolder(stream.number());
        }
    }

    /**
     * Closes the queue of a removed stream. A failed queue throws as it is closed, and is closed nevertheless: its entries are
     * not needed.
     */
    private static void closeRemoved(Stream stream) {
        try {
            stream.closeForGood(false);
        } catch (LarderException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "stream " + stream.number() + " was removed, and had failed", e);
        }
    }

    boolean isKept() {
        return kept;
    }

    /** Records that the space before a stream's first entry may be released, once the trim is kept. */
    void trimmed(StreamUse stream) {
        trimmed.add(stream);
    }

    /** Returns the last number given to a stream. */
    public long lastNumber() {
        return lastNumber.get();
    }

    /**
     * Makes everything durable, heads included, and returns the restore point of the records. No thread may change streams
     * meanwhile.
     */
    public long keep() {
        for (StreamUse stream : List.copyOf(trimmed)) {
            trimmed.remove(stream);
            stream.keepFirst();
            keptTrims.add(stream);
        }
        for (Long number = removed.poll(); number != null; number = removed.poll()) {
            keptRemovals.add(number);
        }
        sync();
        return records.restorePoint();
    }

    /** Releases what only moments before the last {@link #keep} need. */
    public void kept(long restorePoint) {
        records.keepFrom(restorePoint);
        keptTrims.forEach(stream -> inBackground(stream::releaseSpace));
        keptTrims.clear();
        keptRemovals.forEach(number -> inBackground(() -> deleteFolder(number)));
        keptRemovals.clear();
    }

    /**
     * Gives up what was added behind the moment to which this kept store was taken back: what follows is not what was added
     * then. The store must be kept next.
     *
     * @throws StorageException if a folder of a stream that was made later cannot be deleted
     */
    public void giveUpRepeated() {
        for (long number : folders()) {
            if (number > lastNumber.get()) {
                deleteFolder(number);
                if (Files.exists(folder(number))) {
                    throw new StorageException(
                            folder(number) + ": cannot be deleted, and the next stream takes its place");
                }
            }
        }
        HookedOptions.of(options).storage().syncDirectory(directory);
        for (Stream stream : streams.values()) {
            if (stream.use()) {
                try (stream) {
                    stream.giveUpRepeated();
                }
            }
        }
    }

    private void deleteFolder(long number) {
        Path folder = folder(number);
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (java.util.stream.Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | RuntimeException e) { // the next start tries again
            LOGGER.log(System.Logger.Level.WARNING, folder + ": cannot be deleted: " + e, e);
        }
    }

    /** Returns the folder of a stream's queue. */
    public Path folder(long number) {
        return directory.resolve(Long.toString(number));
    }

    StreamQueue openQueue(long number) {
        return StreamQueue.open(folder(number), options);
    }

    MissingPages missingPages() {
        return missingPages;
    }

    /** Records that a stream's queue was closed, or is not closed any more. */
    void rests(boolean now) {
        resting.addAndGet(now ? 1 : -1);
    }

    /**
     * Returns whether the next use of a stream may find a queue closed, or entries or records that are not in memory, as far as
     * is known.
     */
    public boolean mayWait() {
        return resting.get() > 0 || missingPages.isToAsk(tick.get()) || records.arePagesMissing();
    }

    long tick() {
        return tick.incrementAndGet();
    }

    /** Records that a stream's queue is open; closes queues of other streams if many are open. */
    void opened(StreamUse stream) {
        open.add(stream);
        rests(false);
        if (open.size() > OPEN_MAX) {
            List<StreamUse> oldest = new ArrayList<>(open);
            oldest.remove(stream);
            oldest.sort(Comparator.comparingLong(StreamUse::usedTick));
            for (StreamUse one : oldest.subList(0, oldest.size() / SHARE_CLOSED)) {
                if (one.rest()) {
                    open.remove(one);
                }
            }
        }
    }

    void dirty(StreamUse stream) {
        commits.dirty(stream);
    }

    /** Refuses a stream whose queue lacks acknowledged entries: a new entry would take the place of a lost one. */
    void requireWhole(long number) {
        LarderException cause = unfinished.get(number);
        if (cause != null) {
            throw new StorageException(
                    "stream " + number
                            + " lacks entries that are still in the journal; restart the server to add them: "
                            + cause.getMessage(),
                    cause);
        }
    }

    StreamCommits commits() {
        return commits;
    }

    /**
     * Sets whether entries are written to a journal as well, so that {@link #sync} flushes the journal instead of many queues.
     * A kept store has no journal: its entries come again.
     */
    public void setJournals(boolean now) {
        commits.setJournals(now && !kept);
    }

    /** Makes every change before the call durable: entries first, then records. */
    public void sync() {
        commits.sync();
        records.sync();
    }

    /** Makes the entries of one stream durable, and all records. The caller may hold the lock of another stream. */
    public void sync(long number) {
        Stream stream = find(number);
        if (stream != null) {
            stream.sync();
        }
        records.sync();
    }

    /** Returns all streams. */
    List<Stream> all() {
        return List.copyOf(streams.values());
    }

    /**
     * Returns the streams at a moment. No thread may change them from that moment to the end of this call, or delete files
     * until the result is closed.
     */
    public StreamsMoment moment(StreamEnds ends) {
        return new StreamsMoment(this, options, records.snapshot(), ends.of(this));
    }

    /** Writes a checkpoint of the records. */
    public void checkpoint() {
        records.checkpoint();
    }

    /** Lets the closing write no checkpoint of the records. */
    public void leaveOutLastCheckpoint() {
        records.leaveOutLastCheckpoint();
    }

    @Override
    public void close() {
        try (records;
                commits) {
            closeStreams();
        }
    }

    /** Closes each stream, even if others fail; the first error is thrown at the end. */
    private void closeStreams() {
        ClosingSteps closing = new ClosingSteps();
        for (StreamUse stream : open) {
            closing.take("stream", () -> stream.closeForGood(!kept && streams.containsKey(stream.number())));
        }
        closing.end();
    }
}
