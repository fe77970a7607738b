package dev.larder.array.node;

import dev.larder.array.NodeAddresses;
import dev.larder.array.form.RecordJson;
import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.meta.KnownNode;
import dev.larder.memory.CorruptException;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The newest version of the array's record that this node knows. It comes from stripe 0, or from other nodes, which tell each other
 * their versions. Frames of the links, big-endian:
 *
 * <pre>
 * 0      1
 * | kind | version 8 |     kind: 5, the sender's version; a node with a newer one answers with it
 * | kind | record ... |    kind: 6, in JSON
 * </pre>
 *
 * A file keeps the record for the next start. Thread-safe.
 */
public final class RecordKeeper {

    static final byte VERSION_KIND = 5;
    static final byte RECORD_KIND = 6;

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final int VERSION_BYTES = 9;

    private final Path file;
    private Consumer<ArrayRecord> listener = record -> {};
    private volatile ArrayRecord known;

    /** Whether the record names hosts that were not looked up since it came. */
    private volatile boolean hasNewHosts;

    /**
     * Reads the file, if there is one, and looks up the hosts that it names.
     *
     * @param founding the record with which the array was made
     * @throws CorruptException if the file is damaged
     */
    public RecordKeeper(Path file, ArrayRecord founding) {
        this.file = file;
        this.known = founding;
        try {
            known = RecordJson.read(Files.readString(file)).withAddresses(NodeAddresses::lookedUp);
        } catch (NoSuchFileException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "the array's record is the first one: there is no " + file);
        } catch (CharacterCodingException e) {
            throw new CorruptException(file + " is damaged: it is not text in UTF-8");
        } catch (IOException e) {
            throw new StorageException(file + ": " + e, e);
        } catch (IllegalArgumentException e) {
            throw new CorruptException(file + " is damaged: " + e.getMessage());
        }
    }

    /** Sets the listener for the record. It is called now, and for each newer record. */
    public synchronized void listen(Consumer<ArrayRecord> other) {
        listener = other;
        other.accept(known);
    }

    /** Returns the record. */
    public ArrayRecord record() {
        return known;
    }

    /**
     * Takes a record if it is newer. One that cannot be understood is logged, and changes nothing: a newer larder has written it.
     */
    public void learn(String json) {
        try {
            learn(RecordJson.read(json));
        } catch (IllegalArgumentException e) {
            LOGGER.log(
                    System.Logger.Level.ERROR,
                    "this node cannot read a new record of the array; a newer release may have written it: "
                            + e.getMessage(),
                    e);
        }
    }

    private synchronized void learn(ArrayRecord record) {
        if (record.version() <= known.version()) {
            return;
        }
        ArrayRecord next = withKnownHosts(record);
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        try {
            Files.writeString(temporary, RecordJson.write(record));
            force(temporary, StandardOpenOption.WRITE); // else a power loss may leave the name, and an empty file
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            force(Objects.requireNonNull(file.toAbsolutePath().getParent()), StandardOpenOption.READ);
        } catch (IOException e) { // other nodes will send it again
            LOGGER.log(System.Logger.Level.WARNING, file + ": cannot write the file: " + e, e);
        }
        hasNewHosts = record.nodes().stream().anyMatch(node -> node.addresses().isUnknown());
        known = next;
        listener.accept(next);
    }

    /** Returns a record with the addresses that its hosts had in the record before. Links to nodes that stay must not end. */
    private ArrayRecord withKnownHosts(ArrayRecord record) {
        Map<String, InetAddress> hosts = new HashMap<>();
        known.nodes().stream()
                .map(KnownNode::addresses)
                .flatMap(all -> Stream.of(all.clients(), all.raft(), all.links()))
                .filter(address -> !address.isUnresolved())
                .forEach(address -> hosts.put(address.getHostString(), address.getAddress()));
        return record.withAddresses(all -> all.with(address -> {
            InetAddress host = hosts.get(address.getHostString());
            return host == null ? address : new InetSocketAddress(host, address.getPort());
        }));
    }

    private static void force(Path path, StandardOpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(path, how)) {
            channel.force(true);
        }
    }

    /** Returns whether the record has just come, and names hosts, which are to be looked up at once. */
    public boolean hasNewHosts() {
        return hasNewHosts;
    }

    /** Returns whether the record names hosts whose addresses are not known. */
    public boolean hasUnknownHosts() {
        return known.nodes().stream().anyMatch(node -> node.addresses().isUnknown());
    }

    /**
     * Looks up the hosts. The listener gets the record if addresses have changed. May wait for seconds.
     *
     * @param isReached returns whether a node is reached: it keeps its addresses, since a host may have several
     */
    public void lookForHosts(IntPredicate isReached) {
        hasNewHosts = false; // before the record is read: a later one may come meanwhile
        ArrayRecord before = known;
        Set<NodeAddresses> kept = before.nodes().stream()
                .filter(node -> isReached.test(node.number()))
                .map(KnownNode::addresses)
                .filter(addresses -> !addresses.isUnknown())
                .collect(Collectors.toSet());
        ArrayRecord now =
                before.withAddresses(addresses -> kept.contains(addresses) ? addresses : addresses.lookedUp());
        synchronized (this) {
            if (known.version() == before.version() && !now.equals(before)) {
                known = now;
                listener.accept(now);
            }
        }
    }

    /** Returns the frame with this node's version, for the others. */
    public ByteBuffer version() {
        return ByteBuffer.allocate(VERSION_BYTES)
                .put(VERSION_KIND)
                .putLong(known.version())
                .flip();
    }

    /** Returns whether a frame is about the record. */
    public static boolean isRecord(ByteBuffer frame) {
        byte kind = frame.hasRemaining() ? frame.get(frame.position()) : 0;
        return kind == VERSION_KIND || kind == RECORD_KIND;
    }

    /** Handles a frame about the record; returns the answer, or null. */
    public @Nullable ByteBuffer received(ByteBuffer frame) {
        ByteBuffer in = frame.slice();
        if (in.get() == RECORD_KIND) {
            learn(StandardCharsets.UTF_8.decode(in).toString());
            return null;
        }
        if (in.remaining() != Long.BYTES) {
            throw new CorruptException("a frame with a version of the record has " + frame.remaining() + " bytes");
        }
        ArrayRecord own = known;
        if (in.getLong() >= own.version()) {
            return null;
        }
        byte[] json = RecordJson.write(own).getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + json.length).put(RECORD_KIND).put(json).flip();
    }
}
