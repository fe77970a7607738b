package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.plan.Goal;
import dev.larder.array.plan.Member;
import dev.larder.array.plan.Role;
import dev.larder.array.plan.Stripe;
import dev.larder.array.stripe.StoreStripe;
import dev.larder.array.stripe.StripeContent;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.OtherThread;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.exceptions.JedisException;

/** A stripe's members move between the nodes of a running array. */
@Tag(Effort.LONG)
final class MemberMoveTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The number of the added node, and of the stripe that moves. Node 1 was to lead that stripe. */
    private static final int ADDED = 3;

    private static final int STRIPE = 1;

    /** How often a wish is withdrawn, and how soon at most. */
    private static final int WISHES = Effort.of(1, 3, 100);

    private static final int WISH_MILLIS = 1000;

    @TempDir
    private Path directory;

    private TestArray array;

    @BeforeEach
    void start() {
        array = new TestArray(directory, TestArray.NODES + 1);
        propose(record -> record.adding(ArrayRecord.zone(ADDED), 1, array.addresses(ADDED)));
        array.add(ADDED);
    }

    @AfterEach
    void stop() {
        array.close();
    }

    /** Changes the record, and waits until all nodes know. A change that is lost with a leadership is proposed again. */
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

    private void wish(int leader, int... others) {
        Map<Integer, Role> roles = new TreeMap<>(Map.of(leader, Role.MIRROR));
        for (int other : others) {
            roles.put(other, Role.MIRROR);
        }
        propose(record -> {
            List<Goal> goals = new ArrayList<>(record.goals());
            goals.set(STRIPE, new Goal(STRIPE, roles, leader));
            return record.withGoals(goals).withVersion(record.version() + 1);
        });
    }

    /** Returns a key of a stripe. */
    private static String key(int stripe, int number) {
        for (int tag = 0; ; tag++) {
            String key = "{" + tag + "}" + number;
            if (TestArray.stripe(key) == stripe) {
                return key;
            }
        }
    }

    /** Returns the stripe that moves, as its leader sees it. */
    private Optional<Stripe> asIs() {
        return array.running().stream()
                .flatMap(node -> array.node(node).topology().stripes().stream())
                .filter(stripe -> stripe.number() == STRIPE)
                .findFirst();
    }

    private void awaitGoal() {
        await().atMost(PATIENCE)
                .until(() -> asIs().filter(stripe ->
                                array.node(0).record().goals().get(STRIPE).isReached(stripe))
                        .isPresent());
    }

    /** Returns the nodes of the stripe that a node names to clients, the leader first. */
    private List<Integer> told(int node) {
        try (RespClient client = array.client(node)) {
            String shard = client.call("CLUSTER SLOTS").split("]]], \\[", -1)[STRIPE];
            Map<Integer, Integer> places = new TreeMap<>();
            for (int other : array.running()) {
                int place = shard.indexOf(Integer.toString(array.port(other)));
                if (place >= 0) {
                    places.put(place, other);
                }
            }
            return List.copyOf(places.values());
        }
    }

    private RedisClusterClient client() {
        Set<HostAndPort> nodes = array.running().stream()
                .map(node -> new HostAndPort("127.0.0.1", array.port(node)))
                .collect(Collectors.toSet());
        return RedisClusterClient.builder()
                .nodes(nodes)
                .clientConfig(DefaultJedisClientConfig.builder()
                        .connectionTimeoutMillis(1500)
                        .socketTimeoutMillis(5000)
                        .build())
                .maxAttempts(20)
                .maxTotalRetriesDuration(Duration.ofSeconds(20))
                .build();
    }

    /** Writes numbers, each under its own key, until {@code ended} is set. Returns how many: each was acknowledged. */
    private static int write(RedisClusterClient client, AtomicBoolean ended, AtomicInteger written) {
        while (!ended.get()) {
            int next = written.get();
            assertThat(patiently(() -> client.set(key(STRIPE, next), Integer.toString(next))))
                    .isEqualTo("OK");
            assertThat(patiently(() -> client.get(key(STRIPE, next)))).isEqualTo(Integer.toString(next));
            written.incrementAndGet();
        }
        return written.get();
    }

    /** Retries a command, as a service does. */
    private static String patiently(Supplier<String> command) {
        return await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsInstanceOf(JedisException.class)
                .until(() -> String.valueOf(command.get()), reply -> true);
    }

    private Map<String, String> content(int node) {
        ArrayOptions options = array.options(node);
        try (StoreStripe stripe = StoreStripe.open(
                ArrayNode.storeDirectory(options, STRIPE),
                options.segmentBytes(),
                InstantSource.system(),
                () -> {},
                cause -> {})) {
            return StripeContent.of(stripe);
        }
    }

    /** The leader of a stripe gives its member away, and gets it back. Clients write all the time. */
    @Test
    void membersMoveUnderLoad() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        AtomicInteger written = new AtomicInteger();
        try (RedisClusterClient client = client()) {
            CompletableFuture<Integer> writer = OtherThread.call(() -> write(client, ended, written));
            awaitMore(written, writer);

            wish(ADDED, 0, 2);
            awaitGoal();
            awaitMore(written, writer);
            await().atMost(PATIENCE).until(() -> array.node(1).appliedIndex(STRIPE) == -1);
            for (int node : array.running()) {
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(told(node))
                                .as("what node %d tells clients of", node)
                                .containsExactly(ADDED, 0, 2));
            }

            wish(1, 0, 2);
            awaitGoal();
            awaitMore(written, writer);
            await().atMost(PATIENCE).until(() -> array.node(ADDED).appliedIndex(STRIPE) == -1);

            ended.set(true);
            int count = writer.get(1, TimeUnit.MINUTES);
            for (int number = 0; number < count; number++) {
                assertThat(client.get(key(STRIPE, number))).isEqualTo(Integer.toString(number));
            }
        }
        await().atMost(PATIENCE).until(() -> array.isEqual(STRIPE, List.of(0, 1, 2)));
        array.close();
        Map<String, String> first = content(0);
        assertThat(first).hasSizeGreaterThanOrEqualTo(written.get());
        assertThat(content(1)).isEqualTo(first);
        assertThat(content(2)).isEqualTo(first);
    }

    private static void awaitMore(AtomicInteger written, CompletableFuture<?> writer) {
        int before = written.get();
        await().atMost(PATIENCE).until(() -> writer.isDone() || written.get() > before + 50);
        assertThat(writer).isNotDone();
    }

    /** The node that moves a stripe is stopped at each step, whenever members or leaders have changed. Another node continues. */
    @Test
    void aMoveGoesOnWithoutTheNodeThatDidTheLastStep() {
        wish(ADDED, 0, 2);
        Set<String> seen = new HashSet<>();
        List<CompletableFuture<Void>> starts = new ArrayList<>();
        while (true) {
            Stripe stripe = await().atMost(PATIENCE)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(5))
                    .until(this::asIs, Optional::isPresent)
                    .orElseThrow();
            if (array.node(ADDED).record().goals().get(STRIPE).isReached(stripe)) {
                break;
            }
            int leader = stripe.leader().orElseThrow().node();
            List<MemberName> members =
                    stripe.members().stream().map(Member::name).toList();
            if (seen.add(leader + " leads " + members) && leader != ADDED) {
                array.stop(leader);
                starts.add(OtherThread.run(() -> array.start(leader)));
            }
        }
        CompletableFuture.allOf(starts.toArray(CompletableFuture<?>[]::new)).join();
        assertThat(starts).as("steps, with %s", seen).isNotEmpty(); // how many the test sees depends on the machine
        await().atMost(PATIENCE).until(() -> array.node(1).appliedIndex(STRIPE) == -1);
        try (RespClient client = array.client(array.leader(key(STRIPE, 0)))) {
            assertThat(client.call("SET " + key(STRIPE, 0) + " 1")).isEqualTo("OK");
        }
    }

    /**
     * A member is wanted, and no longer wanted while its leader adds it; another member is gone. If the new member left then, the
     * leader would need its answer for ever: no majority of the new members would be there.
     */
    @Test
    void aMemberThatIsBeingAddedStaysUntilItsLeaderIsSilent() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < WISHES; i++) {
            wish(0, 1, 2, ADDED);
            sleep(random.nextInt(WISH_MILLIS));
            array.stop(1);
            wish(0, 1, 2);
            await().atMost(PATIENCE)
                    .until(() -> asIs().filter(stripe -> hasAdded(stripe) == runsAdded())
                            .isPresent());
            array.start(1);
            awaitGoal();
            await().atMost(PATIENCE).until(() -> !runsAdded());
        }
    }

    private static boolean hasAdded(Stripe stripe) {
        return stripe.members().stream().anyMatch(member -> member.name().node() == ADDED);
    }

    private boolean runsAdded() {
        return array.node(ADDED).appliedIndex(STRIPE) != -1;
    }

    private static void sleep(int millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
