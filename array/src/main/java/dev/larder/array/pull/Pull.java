package dev.larder.array.pull;

import dev.larder.array.pull.PullFrame.Operation;
import dev.larder.array.pull.PullFrame.Reason;
import dev.larder.array.pull.PulledFolder.Origin;
import dev.larder.array.stripe.StripeState.Place;
import dev.larder.memory.StorageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/**
 * Pulls the files of a stripe's store until all are here. If a source ceases to serve, the pull continues from the next one.
 *
 * <pre>
 * BEGIN -> BEGUN: entry 4711, hold 3   READ list   READ file 0 ... READ file n   checked: whole   END
 * </pre>
 *
 * Used by one thread.
 */
public final class Pull {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final int READ_BYTES = 256 << 10;
    private static final long PAUSE_MILLIS = 500;

    /** How many bytes of a file come between two looks at the disk, which other members fill meanwhile. */
    private static final long LOOK_BYTES = 16 << 20;

    private final PullLink link;
    private final PullLimits limits;
    private final UUID stripe;
    private final PulledFolder folder;
    private final LongConsumer begun;
    private final Patience patience;
    private volatile PullProgress progress = PullProgress.NONE;

    /** The cause of the last failure, which was logged. */
    private String told = "";

    /** A file of the source's list, in which it has a number. */
    private record Listed(int number, long sizeBytes, String name) {}

    /**
     * Creates a pull.
     *
     * @param limits the limits that it shares with other pulls: it waits for its turn, and for free space
     * @param stripe the stripe of the store
     * @param begun receives the entry up to which the files lead, once it is known
     * @param patience decides how long it is tried while it fails
     */
    public Pull(
            PullLink link, PullLimits limits, UUID stripe, PulledFolder folder, LongConsumer begun, Patience patience) {
        this.link = link;
        this.limits = limits;
        this.stripe = stripe;
        this.folder = folder;
        this.begun = begun;
        this.patience = patience;
    }

    /**
     * Pulls until all files are here. Failures of a source or of this side's disk are logged, and retried while patience lasts.
     *
     * @param sources returns the nodes that may serve, the best first
     * @param least the entry that the files must at least cover
     * @param isEnough returns whether files up to an entry suffice
     * @throws InterruptedException if the thread is interrupted before that
     * @throws StorageException if patience has ended
     */
    public void run(Supplier<List<Integer>> sources, long least, Predicate<Place> isEnough)
            throws InterruptedException {
        while (!folder.isWhole()) {
            for (int node : sources.get()) {
                attempt(node, least, isEnough);
                if (folder.isWhole()) {
                    return;
                }
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    /** Returns the progress. May be called by any thread. */
    public PullProgress progress() {
        return progress;
    }

    /** Pulls from a node, in its turn. If the disk has no room, waits until it has: then the node is asked again. */
    private void attempt(int node, long least, Predicate<Place> isEnough) throws InterruptedException {
        long lackedBytes;
        limits.turns().acquire();
        try {
            pull(node, least, isEnough);
            return;
        } catch (DiskRoomException e) {
            patience.diskFailed(failure(node, String.valueOf(e.getMessage())), e);
            tell("no room", failure(node, String.valueOf(e.getMessage()))); // the free space differs each time
            lackedBytes = e.bytes();
        } catch (PullException e) {
            String failure = failure(node, String.valueOf(e.getMessage()));
            patience.sourceFailed(failure);
            tell(failure, failure);
            return;
        } catch (IOException e) {
            String failure = failure(node, e.toString());
            patience.diskFailed(failure, e);
            tell(failure, failure);
            return;
        } finally {
            limits.room().release(folder.directory());
            limits.turns().release();
        }
        awaitRoom(lackedBytes);
    }

    private String failure(int node, String reason) {
        return "cannot pull stripe " + stripe + " from node " + node + ": " + reason;
    }

    /** Logs a failure, once for each cause. */
    private void tell(String cause, String failure) {
        if (!cause.equals(told)) {
            told = cause;
            LOGGER.log(System.Logger.Level.WARNING, failure + "; it is tried again");
        }
    }

    private void awaitRoom(long bytes) throws InterruptedException {
        try {
            do {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } while (!limits.room().has(folder.directory(), bytes));
        } catch (IOException e) { // the next attempt tells it
            LOGGER.log(System.Logger.Level.DEBUG, folder + ": cannot ask for the free space: " + e, e);
        }
    }

    private void pull(int node, long least, Predicate<Place> isEnough)
            throws PullException, IOException, InterruptedException {
        Optional<Origin> before = folder.origin()
                .filter(origin -> origin.node() == node && origin.index() >= least && isEnough.test(origin.place()));
        if (before.isPresent() && isServed(before.get())) {
            begun.accept(before.get().index());
            folder.goOn();
            pullFiles(before.get(), list(before.get()));
            return;
        }
        ByteBuffer answer = link.ask(node, Operation.BEGIN, PullFrame.begin(stripe, least), Operation.BEGUN);
        Origin origin = new Origin(
                node,
                answer.getLong(),
                answer.getLong(),
                answer.getLong(),
                answer.hasRemaining() ? answer.getLong() : Place.UNKNOWN_TERM);
        if (!isEnough.test(origin.place())) {
            link.tell(node, Operation.END, PullFrame.longs(origin.hold()));
            throw new PullException(
                    Reason.NOT_NOW,
                    "its files end at entry " + origin.index() + ", before the entries that this node needs");
        }
        List<Listed> files = list(origin);
        try {
            limits.room().take(folder.directory(), sizeBytes(files) - folder.sizeBytes()); // what is here is deleted
        } catch (IOException e) {
            link.tell(node, Operation.END, PullFrame.longs(origin.hold())); // the wait may be long
            throw e;
        }
        begun.accept(origin.index());
        folder.begin(origin);
        pullFiles(origin, files);
    }

    /** Returns whether a source still holds the files of a pull that was begun. */
    private boolean isServed(Origin origin) throws PullException, InterruptedException {
        try {
            read(origin, PullFrame.LIST, 0, 1);
            return true;
        } catch (PullException e) {
            if (e.reason() == Reason.ENDED) {
                return false;
            }
            throw e;
        }
    }

    private void pullFiles(Origin origin, List<Listed> files) throws PullException, IOException, InterruptedException {
        long bytes = sizeBytes(files);
        long missingBytes = 0;
        for (Listed file : files) {
            missingBytes += folder.isDone(file.name(), file.sizeBytes()) ? 0 : file.sizeBytes();
        }
        progress = new PullProgress(origin.node(), 0, bytes);
        for (Listed file : files) {
            long before = progress.pulledBytes();
            if (!folder.isDone(file.name(), file.sizeBytes())) {
                pullFile(origin, file, missingBytes);
                missingBytes -= file.sizeBytes();
            }
            progress = new PullProgress(origin.node(), before + file.sizeBytes(), bytes);
        }
        folder.finish();
        link.tell(origin.node(), Operation.END, PullFrame.longs(origin.hold()));
    }

    private static long sizeBytes(List<Listed> files) {
        return files.stream().mapToLong(Listed::sizeBytes).sum();
    }

    private List<Listed> list(Origin origin) throws PullException, IOException, InterruptedException {
        List<Listed> files = new ArrayList<>();
        for (String line : PulledFolder.lines(listBytes(origin))) {
            String[] parts = line.split(" ", 2);
            if (parts.length < 2 || !parts[0].matches("[0-9]{1,18}")) {
                throw new IOException("the source's list has an invalid line: \"" + line + "\"");
            }
            files.add(new Listed(files.size(), Long.parseLong(parts[0]), parts[1]));
        }
        return files;
    }

    private byte[] listBytes(Origin origin) throws PullException, InterruptedException {
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        while (list.size() < origin.listBytes()) {
            ByteBuffer some = read(origin, PullFrame.LIST, list.size(), READ_BYTES);
            if (!some.hasRemaining()) {
                throw new PullException(Reason.ENDED, "the list of files is cut off");
            }
            list.write(some.array(), some.arrayOffset() + some.position(), some.remaining());
        }
        return list.toByteArray();
    }

    /**
     * Pulls a file.
     *
     * @param missingBytes how many bytes of this file and all later ones are still to come
     */
    private void pullFile(Origin origin, Listed file, long missingBytes)
            throws PullException, IOException, InterruptedException {
        Path path = folder.create(file.name());
        CRC32C check = new CRC32C();
        long look = 0;
        try (FileChannel out = FileChannel.open(path, StandardOpenOption.WRITE)) {
            while (out.position() < file.sizeBytes()) {
                if (out.position() >= look) {
                    limits.room().take(folder.directory(), missingBytes - out.position());
                    look = out.position() + LOOK_BYTES;
                }
                limits.rate().take(Math.min(READ_BYTES, file.sizeBytes() - out.position()));
                ByteBuffer some = read(origin, file.number(), out.position(), READ_BYTES);
                if (!some.hasRemaining()) {
                    throw new PullException(
                            Reason.ENDED, file.name() + " is shorter than " + file.sizeBytes() + " bytes");
                }
                patience.received();
                check.update(some.duplicate());
                progress = progress.with(some.remaining());
                while (some.hasRemaining()) {
                    out.write(some);
                }
            }
        } catch (PullException e) {
            Files.deleteIfExists(path);
            if (e.reason() == Reason.LEFT_OUT) {
                return;
            }
            throw e;
        }
        folder.done(file.name(), file.sizeBytes(), (int) check.getValue());
    }

    private ByteBuffer read(Origin origin, int file, long offset, int length)
            throws PullException, InterruptedException {
        ByteBuffer body = link.ask(
                origin.node(), Operation.READ, PullFrame.read(origin.hold(), file, offset, length), Operation.DATA);
        int check = body.getInt();
        if (check != PullSource.check(body)) {
            throw new PullException(Reason.NOT_NOW, "a part of file " + file + " at " + offset + " fails its check");
        }
        return body;
    }
}
