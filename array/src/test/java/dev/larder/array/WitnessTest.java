package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.plan.Goal;
import dev.larder.array.plan.Role;
import dev.larder.array.plan.Stripe;
import dev.larder.array.ratis.PlantedEntries;
import dev.larder.array.ratis.RaftLogs;
import dev.larder.array.ratis.RaftOptions;
import dev.larder.tests.support.Effort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stripes of two mirrors and a witness. The witness votes, and stands in for a mirror that is away, but never answers. */
@Tag(Effort.LONG)
final class WitnessTest {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final CatchUp SHORT_LOG = new CatchUp(16 << 20, 64L << 20);
    private static final int VALUE_BYTES = 200_000;
    private static final int ENTRIES_OF_NOBODY = 2000;

    /** All keys of the test are in one stripe. */
    private static final String TAG = "{a}";

    private static final int STRIPE = TestArray.stripe(TAG);
    private static final int FIRST = STRIPE % TestArray.NODES;
    private static final int SECOND = (STRIPE + 1) % TestArray.NODES;
    private static final int WITNESS = (STRIPE + 2) % TestArray.NODES;

    /** The number of a node that is added. */
    private static final int ADDED = TestArray.NODES;

    @TempDir
    private Path directory;

    private TestArray array;

    /** The acknowledged values, by key. */
    private final Map<String, String> acknowledged = new TreeMap<>();

    @BeforeEach
    void start() {
        array = TestArray.withWitnesses(directory, TestArray.NODES, SHORT_LOG);
        array.awaitLeaders();
    }

    @AfterEach
    void stop() {
        array.close();
    }

    private void write(int count, int bytes) {
        for (int i = 0; i < count; i++) {
            String key = TAG + acknowledged.size();
            String value = (key + ".").repeat(bytes / key.length() + 1);
            await().atMost(PATIENCE).until(() -> set(key, value), "OK"::equals); // a leader may go meanwhile
            acknowledged.put(key, value);
        }
    }

    private String set(String key, String value) {
        try (RespClient client = array.client(array.leader(TAG))) {
            return client.call("SET " + key + " " + value);
        }
    }

    private void requireAllAt(int node) {
        assertThat(array.leader(TAG)).isEqualTo(node);
        try (RespClient client = array.client(node)) {
            acknowledged.forEach((key, value) ->
                    assertThat(client.call("GET " + key)).as(key).isEqualTo(value));
        }
    }

    private void awaitApplied(int node) {
        int leader = array.leader(TAG);
        await().atMost(PATIENCE)
                .until(() -> array.node(node).appliedIndex(STRIPE)
                        >= array.node(leader).appliedIndex(STRIPE));
    }

    @Test
    void aWitnessVotesAndAnswersNothing() {
        write(20, 10);
        awaitApplied(WITNESS);
        assertThat(StoreFiles.store(array.options(WITNESS), STRIPE)).doesNotExist();
        try (RespClient client = array.client(WITNESS)) {
            String moved = "MOVED 15495 " + array.address(FIRST);
            assertThat(client.call("GET " + TAG + "0")).contains(moved);
            assertThat(client.call("READONLY")).isEqualTo("OK");
            assertThat(client.call("GET " + TAG + "0")).contains(moved);
            String shard = client.call("CLUSTER SLOTS").split("]]], \\[", -1)[STRIPE];
            assertThat(shard)
                    .contains(Integer.toString(array.port(FIRST)), Integer.toString(array.port(SECOND)))
                    .doesNotContain(Integer.toString(array.port(WITNESS)));
        }
        array.stop(FIRST);
        requireAllAt(SECOND);
        write(20, 10);
        array.start(FIRST);
        awaitApplied(FIRST);
        array.stop(SECOND);
        requireAllAt(FIRST);
    }

    /** When a mirror comes back, only the log of the witness has the writes that were acknowledged in the mirror's absence. */
    @Test
    void aMirrorThatWasAwayGetsItFromTheWitness() {
        write(20, 10);
        array.stop(SECOND);
        write(50, 1000);
        array.stop(FIRST);
        array.start(SECOND);
        requireAllAt(SECOND);
        write(20, 10);
        array.start(FIRST);
        awaitApplied(FIRST);
        array.stop(SECOND);
        requireAllAt(FIRST);
    }

    @Tag(Effort.QUIET) // for its time
    @Test
    void aWitnessThatIsFarBehindGoesOnWithWhatTheLeaderHas() {
        array.stop(WITNESS);
        write(200, VALUE_BYTES);
        awaitCutLog(FIRST);
        array.start(WITNESS);
        awaitApplied(WITNESS);
        write(20, 10);
        awaitApplied(WITNESS);
        awaitApplied(SECOND);
        array.stop(FIRST);
        requireAllAt(SECOND);
    }

    /**
     * The witness led alone: no other member has the last entries of its log. The logs of the others begin among them, and no
     * client writes.
     */
    @Tag(Effort.QUIET) // for its time
    @Test
    void aWitnessWhoseLogPartsFromTheLeadersGoesOnWithWhatThatHas() throws Exception {
        write(20, 10);
        awaitApplied(WITNESS);
        array.close();
        RaftOptions raft = Members.raftOptions(array.options(WITNESS));
        UUID id = array.options(WITNESS).members().get(STRIPE).id();
        long shared = PlantedEntries.append(raft, id, ENTRIES_OF_NOBODY);
        array.start(FIRST);
        array.start(SECOND);
        write(200, VALUE_BYTES);
        await().atMost(PATIENCE)
                .until(() -> RaftLogs.firstEntry(Members.raftOptions(array.options(FIRST)), id) > shared + 1
                        && RaftLogs.firstEntry(Members.raftOptions(array.options(SECOND)), id) > shared + 1);
        assertThat(array.node(FIRST).appliedIndex(STRIPE)).isLessThan(shared + ENTRIES_OF_NOBODY);
        array.start(WITNESS);
        awaitApplied(WITNESS);
        assertThat(RaftLogs.lastEntry(raft, id)).isLessThan(shared + ENTRIES_OF_NOBODY);
        write(20, 10);
        awaitApplied(SECOND);
        array.stop(FIRST);
        requireAllAt(SECOND);
        write(20, 10); // only the witness can acknowledge them
    }

    /** The witness builds a store and the mirror drops its own. Both stay on their nodes. */
    @Tag(Effort.QUIET) // for its time
    @Test
    void aWitnessAndAMirrorChangePlaces() {
        write(200, VALUE_BYTES);
        for (int round = 0; round < 2; round++) {
            int mirror = round == 0 ? WITNESS : SECOND;
            int witness = round == 0 ? SECOND : WITNESS;
            move(Map.of(FIRST, Role.MIRROR, mirror, Role.MIRROR, witness, Role.WITNESS));
            awaitApplied(mirror);
            await().atMost(PATIENCE).until(() -> !Files.exists(StoreFiles.store(array.options(witness), STRIPE)));
            assertThat(StoreFiles.witness(array.options(mirror), STRIPE)).doesNotExist();
        }
        array.stop(WITNESS);
        array.start(WITNESS); // in its present role
        array.stop(FIRST);
        requireAllAt(SECOND);
    }

    /**
     * Members leave the stripe, and come back in either role. Their logs stay, and begin behind entries that were dropped. Their
     * stores are deleted.
     */
    @Tag(Effort.QUIET) // for its time
    @Test
    void membersWithCutLogsLeaveAndComeBack() {
        array.close();
        array = TestArray.withWitnesses(directory.resolve("four"), TestArray.NODES + 1, SHORT_LOG);
        propose(record -> record.adding(ArrayRecord.zone(ADDED), 1, array.addresses(ADDED)));
        array.add(ADDED);
        write(200, VALUE_BYTES);
        awaitCutLog(WITNESS);
        move(Map.of(FIRST, Role.MIRROR, SECOND, Role.MIRROR, ADDED, Role.WITNESS));
        awaitLeft(WITNESS);
        move(Map.of(FIRST, Role.MIRROR, SECOND, Role.MIRROR, WITNESS, Role.WITNESS));
        awaitApplied(WITNESS);
        awaitLeft(ADDED);
        array.stop(WITNESS);
        array.start(WITNESS);
        awaitApplied(WITNESS);
        awaitCutLog(SECOND);
        move(Map.of(FIRST, Role.MIRROR, ADDED, Role.MIRROR, WITNESS, Role.WITNESS)); // a former witness
        awaitLeft(SECOND);
        move(Map.of(FIRST, Role.MIRROR, ADDED, Role.MIRROR, SECOND, Role.WITNESS)); // a former mirror
        awaitLeft(WITNESS);
        array.stop(SECOND);
        array.start(SECOND);
        awaitApplied(SECOND);
        awaitApplied(ADDED);
        array.stop(FIRST);
        requireAllAt(ADDED);
        write(20, 10); // only the witness can acknowledge them
    }

    private void awaitCutLog(int node) {
        ArrayOptions options = array.options(node);
        UUID id = options.members().get(STRIPE).id();
        await().atMost(PATIENCE).until(() -> RaftLogs.firstEntry(Members.raftOptions(options), id) > 0);
    }

    private void awaitLeft(int node) {
        ArrayOptions options = array.options(node);
        await().atMost(PATIENCE)
                .until(() -> array.node(node).appliedIndex(STRIPE) < 0
                        && !Files.exists(StoreFiles.witness(options, STRIPE))
                        && !Files.exists(StoreFiles.store(options, STRIPE)));
    }

    /** The new mirror gets its files at 1 MiB a second. As long as files are missing, the former mirror keeps its store. */
    @Tag(Effort.QUIET) // for its time
    @Test
    void aMirrorDropsItsStoreOnlyOnceTheNewOneIsWhole() {
        array.close();
        Path slow = directory.resolve("slow");
        array = TestArray.withWitnesses(slow, TestArray.NODES, new CatchUp(16 << 20, 1 << 20));
        array.awaitLeaders();
        write(200, VALUE_BYTES);
        Path old = StoreFiles.store(array.options(SECOND), STRIPE);
        wish(Map.of(FIRST, Role.MIRROR, WITNESS, Role.MIRROR, SECOND, Role.WITNESS));
        await().atMost(PATIENCE)
                .until(() -> !Files.exists(StoreFiles.witness(array.options(WITNESS), STRIPE))); // the change has begun
        while (array.node(WITNESS).appliedIndex(STRIPE) < 0) {
            assertThat(old).exists();
        }
        await().atMost(PATIENCE).until(() -> !Files.exists(old));
        awaitApplied(WITNESS);
        array.stop(FIRST);
        requireAllAt(WITNESS);
    }

    private Optional<Stripe> asIs() {
        return array.running().stream()
                .flatMap(node -> array.node(node).topology().stripes().stream())
                .filter(stripe -> stripe.number() == STRIPE)
                .findFirst();
    }

    private void move(Map<Integer, Role> roles) {
        wish(roles);
        await().atMost(PATIENCE)
                .until(() -> asIs().filter(stripe ->
                                array.node(FIRST).record().goals().get(STRIPE).isReached(stripe))
                        .isPresent());
        write(20, 10);
    }

    private void wish(Map<Integer, Role> roles) {
        propose(record -> {
            List<Goal> goals = new ArrayList<>(record.goals());
            goals.set(STRIPE, new Goal(STRIPE, new TreeMap<>(roles), FIRST));
            return record.withGoals(goals).withVersion(record.version() + 1);
        });
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
}
