package dev.larder.array.pull;

import dev.larder.array.pull.PullFrame.Operation;
import dev.larder.array.pull.PullFrame.Reason;
import dev.larder.array.pull.PulledFolder.Origin;
import dev.larder.array.stripe.StripeState.Place;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

    private final PullLink link;
    private final PullRate rate;
    private final UUID stripe;
    private final PulledFolder folder;
    private final LongConsumer begun;
    private volatile PullProgress progress = PullProgress.NONE;

    /**
     * Creates a pull.
     *
     * @param stripe the stripe of the store
     * @param begun receives the entry up to which the files lead, once it is known
     */
    public Pull(PullLink link, PullRate rate, UUID stripe, PulledFolder folder, LongConsumer begun) {
        this.link = link;
        this.rate = rate;
        this.stripe = stripe;
        this.folder = folder;
        this.begun = begun;
    }

    /**
     * Pulls until all files are here. Failures of a source or of this node's disk are logged, and retried.
     *
     * @param sources returns the nodes that may serve, the best first
     * @param least the entry that the files must at least cover
     * @param isEnough returns whether files up to an entry suffice
     * @throws InterruptedException if the thread is interrupted before that
     */
    public void run(Supplier<List<Integer>> sources, long least, Predicate<Place> isEnough)
            throws InterruptedException {
        String told = "";
        while (!folder.isWhole()) {
            for (int node : sources.get()) {
                String failure = tryFrom(node, least, isEnough);
                if (folder.isWhole()) {
                    return;
                }
                if (!failure.equals(told)) {
                    LOGGER.log(
                            System.Logger.Level.WARNING,
                            "cannot pull stripe " + stripe + " from node " + node + " yet: " + failure);
                    told = failure;
                }
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    /** Returns the progress. May be called by any thread. */
    public PullProgress progress() {
        return progress;
    }

    private String tryFrom(int node, long least, Predicate<Place> isEnough) throws InterruptedException {
        try {
            pull(node, least, isEnough);
            return "";
        } catch (PullException e) {
            return String.valueOf(e.getMessage());
        } catch (IOException e) {
            return e.toString();
        }
    }

    private void pull(int node, long least, Predicate<Place> isEnough)
            throws PullException, IOException, InterruptedException {
        Optional<Origin> before = folder.origin()
                .filter(origin -> origin.node() == node && origin.index() >= least && isEnough.test(origin.place()));
        if (before.isPresent() && isServed(before.get())) {
            begun.accept(before.get().index());
            folder.goOn();
            pullFiles(before.get());
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
        begun.accept(origin.index());
        folder.begin(origin);
        pullFiles(origin);
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

    private void pullFiles(Origin origin) throws PullException, IOException, InterruptedException {
        List<String> lines = PulledFolder.lines(list(origin));
        long bytes = 0;
        for (String line : lines) {
            bytes += sizeBytes(line);
        }
        progress = new PullProgress(origin.node(), 0, bytes);
        for (int file = 0; file < lines.size(); file++) {
            String line = lines.get(file);
            long before = progress.pulledBytes();
            pullFile(origin, file, line.substring(line.indexOf(' ') + 1), sizeBytes(line));
            progress = new PullProgress(origin.node(), before + sizeBytes(line), bytes);
        }
        folder.finish();
        link.tell(origin.node(), Operation.END, PullFrame.longs(origin.hold()));
    }

    private static long sizeBytes(String line) throws IOException {
        String[] parts = line.split(" ", 2);
        if (parts.length < 2 || !parts[0].matches("[0-9]{1,18}")) {
            throw new IOException("the source's list has an invalid line: \"" + line + "\"");
        }
        return Long.parseLong(parts[0]);
    }

    private byte[] list(Origin origin) throws PullException, InterruptedException {
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

    private void pullFile(Origin origin, int file, String name, long sizeBytes)
            throws PullException, IOException, InterruptedException {
        if (folder.isDone(name, sizeBytes)) {
            return;
        }
        Path path = folder.create(name);
        CRC32C check = new CRC32C();
        try (FileChannel out = FileChannel.open(path, StandardOpenOption.WRITE)) {
            while (out.position() < sizeBytes) {
                rate.take(Math.min(READ_BYTES, sizeBytes - out.position()));
                ByteBuffer some = read(origin, file, out.position(), READ_BYTES);
                if (!some.hasRemaining()) {
                    throw new PullException(Reason.ENDED, name + " is shorter than " + sizeBytes + " bytes");
                }
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
        folder.done(name, sizeBytes, (int) check.getValue());
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
