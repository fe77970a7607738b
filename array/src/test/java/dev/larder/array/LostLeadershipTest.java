package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.array.node.ArrayKeyspace;
import dev.larder.array.node.Stripe;
import dev.larder.array.node.Stripes;
import dev.larder.array.ratis.HeldElections;
import dev.larder.array.ratis.RaftNode;
import dev.larder.array.stripe.StripeState.LogBeginning;
import dev.larder.array.stripe.StripeState.Place;
import dev.larder.resp.Command;
import dev.larder.resp.CommandTable;
import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.command.Call;
import dev.larder.server.command.Commands;
import dev.larder.server.command.Database;
import dev.larder.server.command.InputPosition;
import dev.larder.server.command.NotReadyException;
import dev.larder.tests.support.Effort;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sessions at a node that loses the leadership of a stripe, or almost does. */
@Tag(Effort.LONG)
@Timeout(600)
final class LostLeadershipTest {

    private static final int STRIPE = 0;
    private static final int NODE = 0;
    private static final int NEXT = 1;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration TRANSFER = Duration.ofSeconds(1);

    @TempDir
    static Path directory;

    private static TestArray array;

    private static final String KEY = IntStream.range(0, 1000)
            .mapToObj(i -> "key" + i)
            .filter(key -> TestArray.stripe(key) == STRIPE)
            .findFirst()
            .orElseThrow();

    @BeforeAll
    static void start() {
        array = new TestArray(directory);
        array.awaitLeaders();
    }

    @AfterAll
    static void stop() {
        array.close();
    }

    private static Stripe member(int node) throws ReflectiveOperationException {
        return array.stripes(node).here().stream()
                .filter(one -> one.number() == STRIPE)
                .findFirst()
                .orElseThrow();
    }

    private static void awaitLeader(int node) {
        await().atMost(PATIENCE).until(() -> array.node(node).isLeading(STRIPE));
    }

    /** Begins a transfer to a member that does not run and lacks an entry. It fails after a second. */
    private static CompletableFuture<Boolean> failingTransfer() throws ReflectiveOperationException {
        awaitLeader(NODE);
        try (RespClient client = array.client(NODE)) {
            assertThat(client.call("SET " + KEY + " 0")).isEqualTo("OK");
        }
        return array.raft(NODE).transfers().begin(array.stripes(NODE).id(STRIPE), new MemberName(NEXT, 0), TRANSFER);
    }

    /**
     * A client that repeats the refused write would do it after the later one. Both ways of the later write are tested: it waits
     * behind a slow read, or it comes once the transfer has failed.
     */
    @Test
    void aWriteBehindARefusedOneIsRefusedTooThoughTheTransferFails() throws ReflectiveOperationException {
        array.stop(NEXT);
        try (RespClient together = array.client(NODE);
                RespClient later = array.client(NODE)) {
            CompletableFuture<Boolean> transfer = failingTransfer();
            together.begin(List.of("SET " + KEY + " 1", "GETRANGE {" + KEY + "} 0 -1", "SET " + KEY + " 2"));
            later.begin(List.of("SET " + KEY + " 3"));
            assertThat(transfer).succeedsWithin(PATIENCE).isEqualTo(false);
            later.begin(List.of("SET " + KEY + " 4"));
            assertThat(together.next()).startsWith("MOVED");
            assertThat(together.next()).as("a read").isEmpty();
            assertThat(together.next()).startsWith("MOVED");
            assertThat(later.next()).startsWith("MOVED");
            assertThat(later.next()).startsWith("MOVED");
            assertThat(together.call("SET " + KEY + " 5"))
                    .as("sent behind the replies")
                    .isEqualTo("OK");
            assertThat(later.call("GET " + KEY)).isEqualTo("5");
        } finally {
            array.restore();
        }
    }

    /** The state of an absent key is the same in each store. */
    @Test
    void aWatchIsTouchedOnceTheStoreIsOpenedAnew() throws ReflectiveOperationException {
        awaitLeader(NODE);
        try (RespClient client = array.client(NODE)) {
            client.call("DEL " + KEY);
            assertThat(client.call("WATCH " + KEY)).isEqualTo("OK");
            assertThat(array.raft(NODE)
                            .transfers()
                            .begin(array.stripes(NODE).id(STRIPE), new MemberName(NEXT, 0), PATIENCE))
                    .succeedsWithin(PATIENCE)
                    .isEqualTo(true);
            Stripe before = member(NODE);
            before.state().behind(new LogBeginning(new Place(1, 1), NEXT, 1), 0);
            await().atMost(PATIENCE)
                    .until(() -> array.stripes(NODE).here().stream().noneMatch(one -> one == before));
            awaitLeader(NEXT);
            try (RespClient other = array.client(NEXT)) {
                assertThat(other.pipeline(List.of("SET " + KEY + " x", "DEL " + KEY)))
                        .containsExactly("OK", "1");
            }
            awaitLeader(NODE); // the stripe goes back to its intended leader
            assertThat(client.pipeline(List.of("MULTI", "SET " + KEY + " y", "EXEC")))
                    .containsExactly("OK", "QUEUED", "nil");
        }
    }

    /** An input position at which a test acts while a command runs. */
    private static final class Position implements InputPosition {

        private Runnable second = () -> {};
        private int looks;

        /** Sets the action of the second look at the end of the running command. */
        void onSecondLook(Runnable action) {
            second = action;
            looks = 0;
        }

        @Override
        public long end() {
            if (++looks == 2) {
                second.run();
            }
            return 10;
        }

        @Override
        public long received() {
            return 10;
        }
    }

    /**
     * As the leadership ends, the time of reads no longer waits for the entries under way, though the next leader may commit
     * them. The thread of the read is held between the check that the node leads and the read.
     */
    @Test
    void aReadIsNotAnsweredIfTheLeadershipEndsBeforeItReads() throws ReflectiveOperationException {
        awaitLeader(NODE);
        RaftNode raft = array.raft(NODE);
        Stripes stripes = array.stripes(NODE);
        AtomicBoolean isLost = new AtomicBoolean();
        Position position = new Position();
        ReplyBuffer replies = new ReplyBuffer();
        Database session =
                new ArrayKeyspace(stripes, List::of).forLoop(Runnable::run).forSession(position, /* encrypted */ false);
        Request request =
                Request.of(List.of("GET".getBytes(StandardCharsets.US_ASCII), KEY.getBytes(StandardCharsets.US_ASCII)));
        Command command = Objects.requireNonNull(CommandTable.standard().find(request));
        Call call = new Call(
                command, Objects.requireNonNull(Commands.handler(command)), request, 0, new ReplyEncoder(replies));
        assertThatThrownBy(() -> session.run(call)).isInstanceOfSatisfying(NotReadyException.class, met -> {
            CompletableFuture<Void> round = new CompletableFuture<>();
            session.prepare(met, List.of(), error -> round.complete(null));
            assertThat(round).succeedsWithin(PATIENCE);
        });
        position.onSecondLook(() -> {
            HeldElections.stepDown(raft, stripes.id(STRIPE));
            await().atMost(PATIENCE).until(() -> !array.node(NODE).isLeading(STRIPE));
            isLost.set(true);
        });
        assertThatThrownBy(() -> session.run(call)).isInstanceOf(ReplyException.class);
        assertThat(isLost).isTrue();
        assertThat(replies.sizeBytes()).isZero();
    }
}
