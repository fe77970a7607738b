package dev.larder.array;

import dev.larder.array.pull.Patience;
import dev.larder.array.pull.Pull;
import dev.larder.array.pull.PullLimits;
import dev.larder.array.pull.PullLink;
import dev.larder.array.pull.PulledFolder;
import dev.larder.array.slots.StripeMembers;
import dev.larder.array.stripe.StoreStripe;
import dev.larder.array.stripe.StripeState.Place;
import dev.larder.memory.Access;
import dev.larder.memory.CorruptException;
import dev.larder.memory.StorageException;
import dev.larder.memory.SystemStorage;
import dev.larder.server.Backup;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A backup of an array: the store of each stripe, as one of its members had it.
 *
 * <pre>
 * DIRECTORY/stripe-N                 a backup of files, with its list
 * DIRECTORY/array-backup.properties  the array of these stripes; written last, so that the backup is whole
 * </pre>
 *
 * Each stripe is kept between two entries. Different stripes are kept at different moments.
 *
 * @param directory the folder of the backup
 * @param identity the identity of this backup: all first nodes of a new array are made from the same one
 * @param array the identity of the array that was backed up
 * @param stripes how many stripes that array has
 * @param segmentBytes the size that segments of its stores grow to
 * @param valuesOnce whether large values lie only in its stores
 */
public record ArrayBackup(
        Path directory, UUID identity, UUID array, int stripes, long segmentBytes, boolean valuesOnce) {

    private static final String NAME = "array-backup.properties";
    private static final String VERSION = "1";
    private static final String STRIPE = "stripe-";
    private static final String VALUES_ONCE = "values-once";

    /** Sends requests for files to nodes. */
    public interface Requests {
        /** Returns the answer of a node; empty if there is none, or it was lost. */
        Optional<ByteBuffer> ask(int node, ByteBuffer frame) throws InterruptedException;

        /** Sends a node a message to which there is no answer. */
        void tell(int node, ByteBuffer frame);
    }

    /** Pulls a stripe by means of requests. */
    private static final class Puller {

        private final PullLink link = new PullLink(this::ask);
        private final Requests requests;

        Puller(Requests requests) {
            this.requests = requests;
        }

        private void ask(ByteBuffer frame, int node) {
            if (!PullLink.isAnswered(frame)) {
                requests.tell(node, frame);
                return;
            }
            try {
                requests.ask(node, frame).ifPresent(answer -> link.received(node, answer));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the thread that waits for the answer sees the interrupt
            }
        }
    }

    /**
     * Pulls the store of a stripe into this backup, and checks it.
     *
     * @param requests brings requests to nodes
     * @param sources returns the node that leads the stripe, as a read has just confirmed: it has all that was acknowledged
     *     before
     * @param bytesPerSecond the highest rate
     * @return the number of files
     * @throws StorageException if the files cannot be written, or a node that leads the stripe has sent nothing for a minute
     */
    public int pull(int stripe, Requests requests, Supplier<List<Integer>> sources, long bytesPerSecond)
            throws InterruptedException {
        Path store = directory.resolve(stripe + ".store");
        Path record = directory.resolve(stripe + ".record");
        PulledFolder folder = new PulledFolder(store, record);
        new Pull(
                        new Puller(requests).link,
                        PullLimits.of(bytesPerSecond, 0, 1),
                        StripeMembers.id(array, stripe),
                        folder,
                        index -> {},
                        Patience.ofProgram())
                .run(sources, -1, files -> true);
        folder.install(Optional.empty()); // a new array has other members
        int files = Backup.create(folder(stripe), making -> moveInto(store, making));
        StoreFiles.delete(store);
        StoreFiles.delete(record); // the goals of the former array
        return files;
    }

    private Path folder(int stripe) {
        return directory.resolve(STRIPE + stripe);
    }

    private static void moveInto(Path from, Path to) {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.move(file, to.resolve(file.getFileName().toString()));
            }
        } catch (IOException e) {
            throw new StorageException(from + ": cannot move it to " + to + ": " + e, e);
        }
    }

    /** Records durably that all stripes are there. */
    public void finish() {
        Properties lines = new Properties();
        lines.setProperty("version", VERSION);
        lines.setProperty("backup", identity.toString());
        lines.setProperty("array", array.toString());
        lines.setProperty("stripes", Integer.toString(stripes));
        lines.setProperty("segment-bytes", Long.toString(segmentBytes));
        if (valuesOnce) {
            lines.setProperty(VALUES_ONCE, "true");
        }
        Path next = directory.resolve(NAME + ".tmp");
        try {
            StringWriter text = new StringWriter();
            lines.store(text, null);
            Files.writeString(next, text.toString(), StandardCharsets.ISO_8859_1);
            force(next);
            Files.move(next, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
            force(directory);
        } catch (IOException e) {
            throw new StorageException(directory + ": cannot be written: " + e, e);
        }
    }

    private static void force(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /**
     * Reads the description of a backup.
     *
     * @throws StorageException if the folder holds no backup, or an incomplete one
     * @throws CorruptException if the description cannot be understood
     */
    public static ArrayBackup read(Path directory) {
        Path file = directory.resolve(NAME);
        Properties lines = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            lines.load(in);
            if (!VERSION.equals(lines.getProperty("version"))) {
                throw new CorruptException(file + " has version " + lines.getProperty("version") + ", not " + VERSION);
            }
            return new ArrayBackup(
                    directory,
                    UUID.fromString(lines.getProperty("backup", "")),
                    UUID.fromString(lines.getProperty("array", "")),
                    Integer.parseInt(lines.getProperty("stripes", "")),
                    Long.parseLong(lines.getProperty("segment-bytes", "")),
                    Boolean.parseBoolean(lines.getProperty(VALUES_ONCE, "false")));
        } catch (IOException e) {
            throw new StorageException(directory + ": not a complete backup of an array: " + e, e);
        } catch (IllegalArgumentException e) {
            throw new CorruptException(file + " is damaged: " + e.getMessage());
        }
    }

    /** Requires that a new array has the same slots, and another identity. */
    void requireFitting(ArrayOptions options) {
        if (options.array().equals(array)) {
            throw new IllegalArgumentException(directory + " is a backup of this array, " + array
                    + ": restore it as a new array, which has another identity");
        }
        if (options.stripes() != stripes || options.segmentBytes() != segmentBytes) {
            throw new IllegalArgumentException(
                    directory + " has " + stripes + " stripes and segments of " + segmentBytes
                            + " bytes; the new array has " + options.stripes() + " and " + options.segmentBytes());
        }
        if (options.valuesOnce() != valuesOnce) {
            throw new IllegalArgumentException(directory + " has values-once=" + valuesOnce
                    + "; the new array has values-once=" + options.valuesOnce());
        }
    }

    /** Creates the store of a node's member of a stripe. */
    void restore(int stripe, ArrayOptions options) {
        Path store = StoreFiles.store(options, stripe);
        SystemStorage.system().createDirectories(Objects.requireNonNull(store.getParent()), Access.OWNER);
        Backup.restore(folder(stripe), store);
        Place held = StoreStripe.beginAnew(store, segmentBytes, valuesOnce);
        if (options.members().get(stripe).isWitness(Members.name(options))) {
            restoreWitness(stripe, options, held);
        }
    }

    /**
     * Makes a witness begin where the mirrors do, and vote for them: Ratis counts no vote of a member that seems to have no
     * entries.
     */
    private void restoreWitness(int stripe, ArrayOptions options, Place held) {
        try (StoreStripe witness = StoreStripe.open(
                StoreFiles.witness(options, stripe),
                segmentBytes,
                valuesOnce,
                true,
                options.catchUp().logBytes(),
                InstantSource.system(),
                () -> {},
                cause -> {})) {
            witness.skipTo(held);
        }
        StoreFiles.deleteMirror(options, stripe);
    }
}
