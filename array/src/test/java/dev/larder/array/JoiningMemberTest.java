package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.array.form.LagReport;
import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.plan.Goal;
import dev.larder.array.plan.Member;
import dev.larder.array.plan.Role;
import dev.larder.array.ratis.RaftLogs;
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
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member moves to an empty node, although the logs of the others were cut: it pulls files. */
@Tag(Effort.QUIET)
final class JoiningMemberTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long LOG_BYTES = 16 << 20;
    private static final long PULL_BYTES_PER_SECOND = 2L << 20;
    private static final int VALUE_BYTES = 100_000;
    private static final int KEYS = 60;
    private static final int ADDED = 3;

    /** All keys of the test have one slot. */
    private static final String TAG = "{a}";

    private static final int STRIPE = TestArray.stripe(TAG);
    private static final int LEADER = STRIPE % TestArray.NODES;
    private static final int STAYS = (STRIPE + 1) % TestArray.NODES;
    private static final int LEAVES = (STRIPE + 2) % TestArray.NODES;

    @TempDir
    private Path directory;

    private TestArray array;

    private final Map<String, String> acknowledged = new ConcurrentSkipListMap<>();
    private int written;

    @BeforeEach
    void start() {
        array = new TestArray(directory, TestArray.NODES + 1, new CatchUp(LOG_BYTES, PULL_BYTES_PER_SECOND));
        array.awaitLeaders();
    }

    @AfterEach
    void stop() {
        array.close();
    }

    private void write(long bytes) {
        try (RespClient client = array.client(array.leader(TAG))) {
            for (long sent = 0; sent < bytes; sent += VALUE_BYTES) {
                String key = TAG + written % KEYS;
                String value = (written + ".").repeat(VALUE_BYTES).substring(0, VALUE_BYTES);
                String reply = client.call("SET " + key + " " + value);
                if (!reply.equals("OK")) {
                    return; // another node leads: the next round writes there
                }
                acknowledged.put(key, value);
                written++;
            }
        }
    }

    private static UUID id() {
        return StripeMembers.id(new UUID(9, 9), STRIPE);
    }

    private void propose(UnaryOperator<ArrayRecord> change) {
        ArrayRecord next = change.apply(array.node(0).record());
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200)).until(() -> {
            array.running().stream()
                    .map(array::node)
                    .filter(node -> node.isLeading(0) && node.record().version() < next.version())
                    .forEach(node -> node.propose(next));
            return array.running().stream()
                    .allMatch(node -> array.node(node).record().equals(next));
        });
    }

    private void move() {
        propose(record -> record.adding(ArrayRecord.zone(ADDED), 1, array.addresses(ADDED)));
        propose(record -> {
            List<Goal> goals = new ArrayList<>(record.goals());
            Map<Integer, Role> roles =
                    new TreeMap<>(Map.of(LEADER, Role.MIRROR, STAYS, Role.MIRROR, ADDED, Role.MIRROR));
            goals.set(STRIPE, new Goal(STRIPE, roles, LEADER));
            return record.withGoals(goals).withVersion(record.version() + 1);
        });
    }

    private boolean isMoved() {
        return array.running().stream()
                .flatMap(node -> array.node(node).topology().stripes().stream())
                .filter(stripe -> stripe.number() == STRIPE)
                .anyMatch(stripe -> stripe.members().stream()
                        .map(Member::node)
                        .sorted()
                        .toList()
                        .equals(List.of(LEADER, STAYS, ADDED).stream().sorted().toList()));
    }

    /** Returns whether the node has reported that it has all entries of the stripe. */
    private boolean hasAll() {
        try (RespClient client = array.client(array.leader(TAG))) {
            return LagReport.read(client.call("CLUSTER LAG")).members().stream()
                    .anyMatch(member -> member.stripe() == STRIPE
                            && member.node() == ADDED
                            && member.runs()
                            && member.entries() == 0);
        }
    }

    private static Object identity(Path path) {
        try {
            return Files.getAttribute(path, "unix:ino");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean hasSome(Path done) throws IOException {
        return Files.exists(done) && Files.readString(done).contains(".seg;");
    }

    private Map<String, String> content(int node) {
        ArrayOptions options = array.options(node);
        try (StoreStripe stripe = StoreStripe.open(
                StoreFiles.store(options, STRIPE),
                options.segmentBytes(),
                InstantSource.system(),
                () -> {},
                cause -> {})) {
            return StripeContent.of(stripe);
        }
    }

    /** The new node is killed while it pulls, and continues with the files that it has. Clients write all the time. */
    @Test
    void aNewMemberPullsFilesAndIsKilledMeanwhile() throws Exception {
        write(LOG_BYTES + LOG_BYTES / 2);
        for (int node = 0; node < TestArray.NODES; node++) {
            ArrayOptions options = array.options(node);
            await().atMost(PATIENCE).until(() -> RaftLogs.firstEntry(Members.raftOptions(options), id()) > 0);
        }
        ArrayOptions options = array.options(ADDED);
        Path pulling = StoreFiles.store(options, STRIPE).resolveSibling(STRIPE + ".pulling");
        AtomicBoolean ended = new AtomicBoolean();
        move();
        Object before;
        try (JoiningNode joining = new JoiningNode(options)) {
            await().atMost(PATIENCE).until(() -> hasSome(pulling.resolve("done")));
            before = identity(pulling.resolve("files").resolve("store"));
            joining.kill();
        }
        assertThat(pulling.resolve("whole")).doesNotExist();
        CompletableFuture<Void> writer = OtherThread.run(() -> {
            while (!ended.get()) {
                write(VALUE_BYTES);
            }
        });
        try (JoiningNode joining = new JoiningNode(options)) {
            await().atMost(PATIENCE).until(this::isMoved);
            ended.set(true);
            writer.get(1, TimeUnit.MINUTES);
            await().atMost(PATIENCE).until(this::hasAll);
            await().atMost(PATIENCE).until(() -> array.node(LEAVES).appliedIndex(STRIPE) == -1);
            assertThat(identity(StoreFiles.store(options, STRIPE))).isEqualTo(before);
            try (RespClient client = array.client(array.leader(TAG))) {
                acknowledged.forEach((key, value) ->
                        assertThat(client.call("GET " + key)).as(key).isEqualTo(value));
            }
            joining.end();
        }
        array.close();
        assertThat(content(ADDED)).isEqualTo(content(LEADER)).hasSize(acknowledged.size());
    }
}
