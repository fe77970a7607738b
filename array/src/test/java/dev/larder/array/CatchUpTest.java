package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.array.ratis.PlantedEntries;
import dev.larder.array.ratis.RaftLogs;
import dev.larder.array.ratis.RaftOptions;
import dev.larder.array.slots.StripeMembers;
import dev.larder.array.stripe.StoreStripe;
import dev.larder.array.stripe.StripeContent;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Raft's logs are cut, and members that were away catch up: from entries, or from files. */
@Tag(Effort.QUIET)
final class CatchUpTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long LOG_BYTES = 16 << 20;
    private static final long PULL_BYTES_PER_SECOND = 4L << 20;
    private static final long PULL_BYTES_LEAST = 1L << 20;
    private static final int VALUE_BYTES = 100_000;
    private static final int AT_ONCE = 20;
    private static final long ROUND_BYTES = (long) AT_ONCE * VALUE_BYTES;
    private static final int ENTRIES_OF_NOBODY = 2000;

    /** All keys of the test have one slot. */
    private static final String TAG = "{a}";

    private static final int STRIPE = TestArray.stripe(TAG);
    private static final int AWAY = (STRIPE + 2) % TestArray.NODES;
    private static final List<Integer> OTHERS = List.of(STRIPE % TestArray.NODES, (STRIPE + 1) % TestArray.NODES);

    @TempDir
    private Path directory;

    private TestArray array;

    /** The acknowledged values, by key. */
    private final Map<String, String> acknowledged = new TreeMap<>();

    private int entries;

    @BeforeEach
    void start() {
        array = new TestArray(directory, TestArray.NODES, new CatchUp(LOG_BYTES, PULL_BYTES_PER_SECOND));
        array.awaitLeaders();
    }

    @AfterEach
    void stop() {
        array.close();
    }

    private static String value(int number) {
        return (number + ".").repeat(VALUE_BYTES).substring(0, VALUE_BYTES);
    }

    /**
     * Writes a number of bytes under few keys, and an entry of a stream in each round. Goes to the next leader where the
     * leadership moves, as clients do.
     */
    private void write(long bytes) {
        RespClient client = array.client(array.leader(TAG));
        try {
            for (long written = 0; written < bytes; written += ROUND_BYTES) {
                List<String> lines = new ArrayList<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    lines.add("SET " + TAG + i + " " + value(entries + i));
                }
                lines.add("XADD " + TAG + "stream " + ++entries + "-0 field value" + entries);
                while (!lines.isEmpty()) {
                    lines = refused(lines, client.pipeline(lines));
                    if (!lines.isEmpty()) {
                        client.close();
                        client = array.client(array.leader(TAG));
                    }
                }
                for (int i = 0; i < AT_ONCE; i++) {
                    acknowledged.put(TAG + i, value(entries - 1 + i));
                }
            }
        } finally {
            client.close();
        }
    }

    /** Returns the commands that a member has not taken, since it no longer leads. Requires that it has carried out all others. */
    private List<String> refused(List<String> lines, List<String> replies) {
        List<String> refused = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (isRefused(replies.get(i))) {
                refused.add(line);
            } else {
                assertThat(replies.get(i)).isEqualTo(line.startsWith("XADD ") ? entries + "-0" : "OK");
            }
        }
        return refused;
    }

    private static boolean isRefused(String reply) {
        return reply.startsWith("MOVED ") || reply.startsWith("CLUSTERDOWN ");
    }

    private static UUID id() {
        return StripeMembers.id(new UUID(9, 9), STRIPE);
    }

    private long logBytes(int node) {
        try (Stream<Path> files = Files.list(array.options(node).directory().resolve("raft/" + id() + "/current"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("log_"))
                    .mapToLong(CatchUpTest::sizeBytes)
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long sizeBytes(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0; // the file has just gone
        }
    }

    private long firstEntry(int node) {
        return RaftLogs.firstEntry(Members.raftOptions(array.options(node)), id());
    }

    private Path store(int node) {
        return StoreFiles.store(array.options(node), STRIPE);
    }

    /**
     * Makes a file in the store of a node, and returns it. The file goes with the store. The store's inode would not identify it:
     * the file system reuses inodes, so files that are pulled twice may get the inode of the first store.
     */
    private Path mark(int node) throws IOException {
        return Files.createFile(store(node).resolve("mark-of-the-test"));
    }

    /** Stops the member that is to be away until the logs of the others begin behind its entries. */
    private void stopUntilItLacksEntries() {
        long applied = array.node(AWAY).appliedIndex(STRIPE);
        array.stop(AWAY);
        write(LOG_BYTES + LOG_BYTES / 2);
        await().atMost(PATIENCE).until(() -> OTHERS.stream().allMatch(node -> firstEntry(node) > applied + 1));
    }

    private void awaitEqual() {
        await().atMost(PATIENCE)
                .until(() -> array.node(AWAY).appliedIndex(STRIPE) >= 0 && array.isEqual(STRIPE, List.of(0, 1, 2)));
    }

    /** Requires that the nodes hold all acknowledged writes, and that each node holds the same. */
    private void requireAll() {
        acknowledged.forEach(
                (key, value) -> assertThat(read("GET " + key)).as(key).isEqualTo(value));
        assertThat(read("XLEN " + TAG + "stream")).isEqualTo(Integer.toString(entries));
        assertThat(read("XRANGE " + TAG + "stream - + COUNT 1")).contains("value1");
        awaitEqual();
        array.close();
        Map<String, String> first = content(0);
        assertThat(first).hasSize(AT_ONCE + 1);
        assertThat(content(1)).isEqualTo(first);
        assertThat(content(2)).isEqualTo(first);
    }

    /** Asks the leader. On a busy machine another node may lead meanwhile. */
    private String read(String command) {
        return await().atMost(PATIENCE)
                .until(
                        () -> {
                            try (RespClient client = array.client(array.leader(TAG))) {
                                return client.call(command);
                            }
                        },
                        reply -> !isRefused(reply));
    }

    private Map<String, String> content(int node) {
        try (StoreStripe stripe = StoreStripe.open(
                store(node), array.options(node).segmentBytes(), InstantSource.system(), () -> {}, cause -> {})) {
            return StripeContent.of(stripe);
        }
    }

    /** Logs stay short. A member that was away gets the entries, although all logs were cut before and all nodes start again. */
    @Test
    void aMemberThatLacksLittleGetsEntries() throws Exception {
        write(2 * LOG_BYTES);
        await().atMost(PATIENCE)
                .until(() -> IntStream.range(0, TestArray.NODES)
                        .allMatch(node -> firstEntry(node) > 0 && logBytes(node) <= LOG_BYTES + LOG_BYTES / 2));
        Path mark = mark(AWAY);
        array.stop(AWAY);
        write(LOG_BYTES / 2);
        OTHERS.forEach(array::stop);
        for (int node = 0; node < TestArray.NODES; node++) {
            array.start(node);
        }
        awaitEqual();
        write(LOG_BYTES / 8);
        requireAll();
        assertThat(mark).exists();
    }

    /**
     * A member led alone, so no other member has the last entries of its log. The others have written fewer entries since, and
     * write no more. Their logs begin among those entries.
     */
    @Test
    void aMemberWhoseLogPartsFromThatOfAnIdleStripePullsFiles() throws Exception {
        write(LOG_BYTES / 4);
        awaitEqual();
        int former = array.leader(TAG);
        List<Integer> others = IntStream.range(0, TestArray.NODES)
                .filter(node -> node != former)
                .boxed()
                .toList();
        Path mark = mark(former);
        // All together: else the member would hand over, and get the next leader's first entry, which has the others'
        // term.
        array.close();
        RaftOptions raft = Members.raftOptions(array.options(former));
        long shared = PlantedEntries.append(raft, id(), ENTRIES_OF_NOBODY);
        others.forEach(array::start);
        write(LOG_BYTES + LOG_BYTES / 2);
        await().atMost(PATIENCE).until(() -> others.stream().allMatch(node -> firstEntry(node) > shared + 1));
        assertThat(array.node(others.getFirst()).appliedIndex(STRIPE)).isLessThan(shared + ENTRIES_OF_NOBODY);
        array.start(former);
        awaitEqual();
        assertThat(mark).doesNotExist();
        assertThat(RaftLogs.lastEntry(raft, id())).isLessThan(shared + ENTRIES_OF_NOBODY);
        write(LOG_BYTES / 8);
        requireAll();
    }

    /**
     * Regression: the logs were cut to their bound as soon as the files were there. So the member lacked entries again, and pulled
     * again.
     */
    @Test
    void aMemberGetsAllEntriesThatCameWhileItPulled() throws Exception {
        array.close();
        array = new TestArray(directory.resolve("slow"), TestArray.NODES, new CatchUp(LOG_BYTES, PULL_BYTES_LEAST));
        array.awaitLeaders();
        write(LOG_BYTES / 4);
        awaitEqual();
        stopUntilItLacksEntries();
        Path pulling = store(AWAY).resolveSibling(STRIPE + ".pulling");
        array.start(AWAY);
        await().atMost(PATIENCE).until(() -> Files.exists(pulling.resolve("done")));
        long written = 0;
        while (array.node(AWAY).appliedIndex(STRIPE) < 0 && written < 4 * LOG_BYTES) { // the source holds twice as much
            write(ROUND_BYTES);
            written += ROUND_BYTES;
        }
        assertThat(written).isGreaterThan(2 * LOG_BYTES);
        await().atMost(PATIENCE).until(() -> array.node(AWAY).appliedIndex(STRIPE) >= 0);
        Path mark = mark(AWAY);
        requireAll();
        assertThat(mark).exists();
    }

    /** A member lacks more than the logs have. It stops, pulls files, and is stopped in the midst. Clients write all the time. */
    @Test
    void aMemberThatLacksMuchPullsFiles() throws Exception {
        write(LOG_BYTES / 4);
        awaitEqual();
        Path mark = mark(AWAY);
        stopUntilItLacksEntries();
        Path pulling = store(AWAY).resolveSibling(STRIPE + ".pulling");
        array.start(AWAY);
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Void> writer = OtherThread.run(() -> {
            while (!ended.get()) {
                write(VALUE_BYTES);
            }
        });
        await().atMost(PATIENCE).until(() -> Files.exists(pulling.resolve("done")));
        assertThat(array.node(AWAY).appliedIndex(STRIPE)).isEqualTo(-1);
        try (RespClient client = array.client(AWAY)) {
            await().atMost(PATIENCE).until(() -> client.stripeFigures("pulled_bytes") > 0);
            assertThat(client.stripeFigures("pull_bytes")).isGreaterThan(LOG_BYTES / 4);
        }
        array.stop(AWAY);
        assertThat(pulling).isDirectory();
        array.start(AWAY);
        await().atMost(PATIENCE).until(() -> array.node(AWAY).appliedIndex(STRIPE) >= 0);
        ended.set(true);
        writer.get(1, TimeUnit.MINUTES);
        requireAll();
        assertThat(pulling).doesNotExist();
        assertThat(mark).doesNotExist();
    }
}
