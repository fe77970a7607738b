package dev.larder.arraycli.state;

import dev.larder.array.ArrayBackup;
import dev.larder.array.NodeAddresses;
import dev.larder.memory.LarderException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** The nodes of an array as sources of a backup of its stripes. Used by one thread. */
public final class BackupSource implements ArrayBackup.Requests, AutoCloseable {

    private static final int TIMEOUT_MILLIS = 5_000;
    private static final long ANSWER_MOST_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final ArrayDescription description;
    private final NodeAccess access;
    private final Map<Integer, NodeAddresses> addresses;
    private final Map<Integer, Jedis> clients = new HashMap<>();
    private final byte[] program =
            Protocol.toByteArray(ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE));
    private final LongSupplier nanos;

    /** Since when no node has led the stripe that is asked for; empty if one did at the last look. */
    private OptionalLong ledByNoneSince = OptionalLong.empty();

    /** Creates the sources: the nodes of a description, and those that the array's record knows. */
    public BackupSource(ArrayDescription description, NodeAccess access) {
        this(description, access, System::nanoTime);
    }

    /** The same, with another clock. */
    BackupSource(ArrayDescription description, NodeAccess access, LongSupplier nanos) {
        this.nanos = nanos;
        this.description = description;
        this.access = access;
        this.addresses = ArrayView.addresses(description, access);
    }

    /**
     * Returns the node that leads a stripe: it has just answered a read, confirmed by a majority.
     *
     * @throws LarderException if no node has led it at any look for a minute
     */
    public List<Integer> leaders(int stripe) {
        List<Integer> leaders = ArrayStatus.askAll(description, access).nodes().stream()
                .filter(node -> node.leads().contains(stripe))
                .map(NodeStatus::node)
                .toList();
        if (!leaders.isEmpty()) {
            ledByNoneSince = OptionalLong.empty();
        } else if (ledByNoneSince.isEmpty()) {
            ledByNoneSince = OptionalLong.of(nanos.getAsLong());
        } else if (nanos.getAsLong() - ledByNoneSince.getAsLong() > PATIENCE_NANOS) {
            throw new LarderException("stripe " + stripe + " has had no leader for a minute");
        }
        return leaders;
    }

    @Override
    public Optional<ByteBuffer> ask(int node, ByteBuffer frame) throws InterruptedException {
        try {
            Jedis client = clients.computeIfAbsent(node, this::connect);
            take(client, bytes(frame)); // the reply may hold an answer to an earlier request, which was given up
            long end = System.nanoTime() + ANSWER_MOST_NANOS;
            while (System.nanoTime() - end < 0) {
                Optional<ByteBuffer> answer = take(client);
                if (answer.isPresent()) {
                    return answer;
                }
                TimeUnit.MILLISECONDS.sleep(1);
            }
            return Optional.empty();
        } catch (JedisDataException e) {
            throw new LarderException("node " + node + ": " + e.getMessage(), e);
        } catch (JedisException e) { // the node has gone, and may come back
            drop(node);
            return Optional.empty();
        }
    }

    @Override
    public void tell(int node, ByteBuffer frame) {
        try {
            take(clients.computeIfAbsent(node, this::connect), bytes(frame));
        } catch (JedisException e) { // the node ends the pull by itself
            drop(node);
        }
    }

    private static byte[] bytes(ByteBuffer frame) {
        byte[] bytes = new byte[frame.remaining()];
        frame.duplicate().get(bytes);
        return bytes;
    }

    private void drop(int node) {
        Jedis broken = clients.remove(node);
        if (broken != null) {
            broken.close();
        }
    }

    private Jedis connect(int node) {
        if (!addresses.containsKey(node)) { // it was added to the array after the last look
            addresses.putAll(ArrayView.addresses(description, access));
        }
        NodeAddresses known = addresses.get(node);
        if (known == null) {
            throw new JedisConnectionException("no node that answers knows the address of node " + node);
        }
        return access.connect(known, TIMEOUT_MILLIS);
    }

    private Optional<ByteBuffer> take(Jedis client, byte[]... request) {
        byte[][] words = new byte[2 + request.length][];
        words[0] = "PULL".getBytes(StandardCharsets.US_ASCII);
        words[1] = program;
        System.arraycopy(request, 0, words, 2, request.length);
        Object reply = client.sendCommand(Protocol.Command.CLUSTER, words);
        return reply instanceof List<?> answers && !answers.isEmpty() && answers.getLast() instanceof byte[] last
                ? Optional.of(ByteBuffer.wrap(last))
                : Optional.empty();
    }

    @Override
    public void close() {
        clients.values().forEach(Jedis::close);
    }
}
