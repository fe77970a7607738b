package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.array.entry.Entry;
import dev.larder.array.entry.EntryCall;
import dev.larder.array.entry.Operation;
import dev.larder.array.node.Stripe;
import dev.larder.array.ratis.MemberStates;
import dev.larder.array.ratis.RaftNode;
import dev.larder.array.stripe.StoreStripe;
import dev.larder.array.stripe.StripeState.Place;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands do not wait for a member that has ended or failed, or for a term that is over. */
@Timeout(300)
final class EndedMemberTest {

    /** The number of a stripe and of the node that leads it. Each test has another one. */
    private static final int FAILED = 1;

    private static final int REMOVED = 2;
    private static final int LED = 0;

    /** A stripe that node 0 leads. */
    private static final int SERVED = 3;

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    static Path directory;

    private static TestArray array;

    @BeforeAll
    static void start() {
        array = new TestArray(directory);
        array.awaitLeaders();
    }

    @AfterAll
    static void stop() {
        array.close();
    }

    private static Stripe stripe(int number) throws ReflectiveOperationException {
        return array.stripes(number).here().stream()
                .filter(one -> one.number() == number)
                .findFirst()
                .orElseThrow();
    }

    private static String key(int stripe) {
        return IntStream.range(0, 1000)
                .mapToObj(number -> "key" + number)
                .filter(key -> TestArray.stripe(key) == stripe)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aClientThatWaitsInTheStoreOfAMemberThatFailsIsTold() throws ReflectiveOperationException {
        Stripe failing = stripe(FAILED);
        try (RespClient client = array.client(FAILED)) {
            CompletableFuture<String> reading =
                    OtherThread.call(() -> client.call("XREAD BLOCK 0 STREAMS " + key(FAILED) + " $"));
            await().until(() -> failing.state().shared().waiting() == 1);
            failing.state().failed(new IOException("injected"));
            assertThat(reading.join()).startsWith("UNBLOCKED");
        }
    }

    /**
     * Regression: the thread that applies entries held the client's place in the store and waited for the member's lock. A thread
     * that makes the member step down holds this lock, and waits for that place.
     */
    @Test
    void theThreadThatServesAWaitingClientDoesNotWaitForTheMember() throws ReflectiveOperationException {
        RaftNode raft = array.raft(SERVED % TestArray.NODES);
        Stripe stripe = array.stripes(SERVED % TestArray.NODES).here().stream()
                .filter(one -> one.number() == SERVED)
                .findFirst()
                .orElseThrow();
        StoreStripe state = stripe.state();
        String key = key(SERVED);
        try (RespClient client = array.client(SERVED % TestArray.NODES)) {
            assertThat(client.call("XGROUP CREATE " + key + " g $ MKSTREAM")).isEqualTo("OK");
            CompletableFuture<String> reading =
                    OtherThread.call(() -> client.call("XREADGROUP GROUP g c BLOCK 0 STREAMS " + key + " >"));
            await().until(() -> state.shared().waiting() == 1);
            Place next = new Place(1, state.appliedIndex().get() + 1);
            synchronized (MemberStates.lock(raft, stripe.id())) {
                assertThat(OtherThread.run(() -> state.apply(next, addition(key))))
                        .succeedsWithin(PATIENCE);
            }
            assertThat(reading).succeedsWithin(PATIENCE);
        }
    }

    /** Returns an entry that adds to a stream. */
    private static ByteBuffer addition(String key) {
        String request =
                "*5\r\n$4\r\nXADD\r\n$" + key.length() + "\r\n" + key + "\r\n$1\r\n*\r\n$1\r\nf\r\n$1\r\nv\r\n";
        EntryCall call = new EntryCall(2, request.getBytes(StandardCharsets.US_ASCII));
        return new Entry(System.currentTimeMillis(), List.of(Operation.of(call))).encode();
    }

    /** A member is removed first. Commands that wait for its leader are refused after that. */
    @Test
    void whatIsRefusedBehindTheEndOfAMemberWaitsForNoOtherLeader() throws ReflectiveOperationException {
        Stripe removed = stripe(REMOVED);
        array.stripes(REMOVED).remove(REMOVED);
        AtomicBoolean ran = new AtomicBoolean();
        Runnable task = () -> ran.set(true);
        removed.onceLedAnew(Long.MAX_VALUE, task);
        assertThat(ran).isTrue();
    }

    /**
     * A node loses the leadership and wins it again at once. Regression: clients with writes of the first term waited for 2 s.
     */
    @Test
    void whatIsRefusedForItsTermWaitsOnlyIfThatTermIsTheLast() throws ReflectiveOperationException {
        Stripe led = stripe(LED);
        long term = led.servedTerm();
        assertThat(term).isPositive();
        AtomicBoolean earlier = new AtomicBoolean();
        AtomicBoolean present = new AtomicBoolean();
        led.onceLedAnew(term - 1, () -> earlier.set(true));
        led.onceLedAnew(term, () -> present.set(true));
        assertThat(earlier).isTrue();
        assertThat(present).isFalse();
        await().untilTrue(present); // its patience ends
    }
}
