package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.array.barrier.ReadBarrier;
import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.node.MembersFile;
import dev.larder.array.node.Stripes;
import dev.larder.array.plan.Goal;
import dev.larder.array.plan.Role;
import dev.larder.array.ratis.RaftNode;
import dev.larder.array.stripe.StoreStripe;
import dev.larder.memory.ClosedException;
import dev.larder.memory.StorageException;
import dev.larder.server.store.Bytes;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.server.RaftServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The members of a node that runs alone, where a step of their start or stop fails. */
@Timeout(120)
final class MembersTest {

    private static final int STRIPE = 1;

    /** The least time-out of an election. */
    private static final long ELECTION_NANOS = 1_500_000_000;

    @TempDir
    private Path directory;

    private TestArray array;
    private ArrayOptions options;
    private Stripes stripes;
    private Members members;
    private RaftNode raft;
    private UUID id;

    @BeforeEach
    void start() {
        array = TestArray.made(directory, 0);
        options = array.options(0);
        stripes = new Stripes(options.node(), options.members());
        id = stripes.id(STRIPE);
        members = new Members(
                options,
                new ReadBarrier((node, message) -> {}, System::nanoTime),
                stripes,
                (frame, node) -> {},
                text -> {},
                stripe -> {});
        raft = RaftNode.open(Members.raftOptions(options), members.open(), members::state);
        raft.start();
        members.start(raft);
    }

    @AfterEach
    void stop() {
        raft.close();
        members.close();
        array.close();
    }

    private void stopMember() throws Throwable {
        MethodHandle stop = MethodHandles.privateLookupIn(Members.class, MethodHandles.lookup())
                .findVirtual(
                        Members.class,
                        "stop",
                        MethodType.methodType(void.class, RaftNode.class, int.class, boolean.class));
        stop.invoke(members, raft, STRIPE, false);
    }

    private void follow() {
        members.follow(
                raft,
                ArrayRecord.founding(
                        new TreeMap<>(options.nodes()), options.mirrors(), options.witnesses(), options.members()));
    }

    private void awaitStart() {
        await().until(() -> {
            follow();
            return stripes.hasMember(STRIPE);
        });
    }

    private ArrayRecord withoutThisNode() {
        ArrayRecord record = ArrayRecord.founding(
                new TreeMap<>(options.nodes()), options.mirrors(), options.witnesses(), options.members());
        return record.withGoals(record.goals().stream()
                .map(goal ->
                        goal.stripe() == STRIPE ? new Goal(STRIPE, Map.of(1, Role.MIRROR, 2, Role.MIRROR), 1) : goal)
                .toList());
    }

    /** Ends the member as Ratis does once the others refuse it in an election. */
    private void end() throws ReflectiveOperationException, IOException {
        Method division = RaftNode.class.getDeclaredMethod("division", UUID.class);
        division.setAccessible(true);
        ((RaftServer.Division) division.invoke(raft, id)).close();
    }

    /** Returns a leader's report of the stripe's members, as in the format of the links. */
    private ByteBuffer report(long term, long epoch, List<Integer> nodes) {
        ByteBuffer report = ByteBuffer.allocate(9 + 36 + 9 * nodes.size());
        report.put((byte) 3).putInt(1).putInt(0);
        report.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        report.putLong(term).putLong(epoch).putInt(nodes.size());
        nodes.forEach(node -> report.putInt(node).putInt(0).put((byte) 1));
        return report.flip();
    }

    /** It stands for election, and is ended as the others refuse it, before its leader has been silent for long enough. */
    @Test
    void aRemovedMemberLeavesThoughItIsEndedAgainAndAgain() {
        stripes.heard(1, report(10, 5, List.of(1, 2)));
        ArrayRecord record = withoutThisNode();
        AtomicLong runsSince = new AtomicLong(System.nanoTime());
        AtomicInteger ends = new AtomicInteger();
        await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> {
                    members.follow(raft, record);
                    boolean runs = stripes.hasMember(STRIPE);
                    long now = System.nanoTime();
                    runsSince.compareAndSet(0, runs ? now : 0);
                    if (!runs) {
                        runsSince.set(0);
                    } else if (now - runsSince.get() > ELECTION_NANOS) {
                        end();
                        ends.incrementAndGet();
                        runsSince.set(now);
                    }
                    return MembersFile.read(options.directory()).all().get(STRIPE) == null;
                });
        assertThat(ends).hasPositiveValue();
        assertThat(stripes.hasMember(STRIPE)).isFalse();
    }

    private static void assertClosed(StoreStripe state) {
        assertThatThrownBy(() -> state.stores().store(0).exists(Bytes.of("key")))
                .isInstanceOf(ClosedException.class);
    }

    /**
     * Ratis has ended the member already, so its stop fails. Were its store still open, the next start would open it a second
     * time.
     */
    @Test
    void theStoreOfAMemberWhoseStopFailsIsClosedBeforeItStartsAgain() {
        StoreStripe before = members.state(id);
        raft.remove(id);
        assertThatThrownBy(this::stopMember).isInstanceOf(StorageException.class);
        awaitStart();
        assertClosed(before);
        assertThat(members.state(id).stores().store(0).exists(Bytes.of("key"))).isFalse();
    }
}
