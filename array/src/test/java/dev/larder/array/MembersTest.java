package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.array.barrier.ReadBarrier;
import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.node.Stripes;
import dev.larder.array.ratis.RaftNode;
import dev.larder.array.stripe.StoreStripe;
import dev.larder.memory.ClosedException;
import dev.larder.memory.StorageException;
import dev.larder.server.store.Bytes;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The members of a node that runs alone, where a step of their start or stop fails. */
@Timeout(120)
final class MembersTest {

    private static final int STRIPE = 1;

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
