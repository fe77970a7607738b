package dev.larder.lab.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lab.redis.PatientRequests.Attempt;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class PatientRequestsTest {

    private static final long MILLI = 1_000_000;

    private final List<Attempt> sent = new ArrayList<>();
    private long now;
    private final PatientRequests requests = new PatientRequests(2, 3, sent::add, () -> now);

    private List<Long> sentIds() {
        return sent.stream().map(Attempt::id).toList();
    }

    @Test
    void sendsAsManyAsMayBeUnderWayOfEachKind() {
        for (int id = 0; id < 5; id++) {
            requests.take(id, 0, id);
        }
        requests.take(5, 1, 5);
        assertThat(requests.send()).isFalse();
        assertThat(sentIds()).containsExactly(0L, 1L, 2L, 5L);
        requests.answered(sent.get(1));
        assertThat(requests.send()).isFalse();
        assertThat(sentIds()).endsWith(3L);
        requests.answered(sent.get(0));
        assertThat(requests.send()).isTrue();
        assertThat(sentIds()).endsWith(4L).hasSize(6);
    }

    @Test
    void sendsAgainAfterPausesThatDoubleUpToTwoSeconds() {
        requests.take(7, 1, 70);
        List<Long> pauses = new ArrayList<>();
        for (int attempt = 0; attempt < 10; attempt++) {
            requests.send();
            requests.failed(sent.getLast());
            long failed = now;
            int before = sent.size();
            while (sent.size() == before) {
                now += MILLI;
                requests.send();
            }
            pauses.add((now - failed) / MILLI);
            sent.removeFirst();
        }
        assertThat(pauses).containsExactly(20L, 40L, 80L, 160L, 320L, 640L, 1280L, 2000L, 2000L, 2000L);
        assertThat(sent.getLast().key()).isEqualTo(70);
    }

    @Test
    void whatHasFailedGoesBeforeWhatIsNew() {
        requests.take(1, 0, 1);
        requests.send();
        requests.failed(sent.getFirst());
        for (int id = 2; id < 6; id++) {
            requests.take(id, 0, id);
        }
        now += 20 * MILLI;
        requests.send();
        assertThat(sentIds()).containsExactly(1L, 1L, 2L, 3L);
    }

    @Test
    void aServerThatStoodStillCatchesUp() {
        assertThat(new SlowServer(400).unansweredAfterAStop()).isLessThan(10);
    }

    /** The control: soon the server serves only requests for which no client waits. */
    @Test
    void withoutABoundItNeverDoes() {
        assertThat(new SlowServer(Integer.MAX_VALUE).unansweredAfterAStop()).isGreaterThan(10_000);
    }

    /**
     * A server that serves two requests per millisecond, in their order, while one arrives. The client gives a request up after
     * 1.5 s, but the server serves it nevertheless.
     */
    private static final class SlowServer {

        private static final int MILLIS = 64_000;
        private static final int STOPPED_MILLIS = 4_000;
        private static final int GIVEN_UP_MILLIS = 1_500;

        private final Queue<Attempt> line = new ArrayDeque<>();
        private final Queue<Sent> sent = new ArrayDeque<>();
        private final @Nullable Attempt[] awaited = new @Nullable Attempt[MILLIS];
        private final PatientRequests client;
        private int millis;
        private int answered;

        private record Sent(int millis, Attempt attempt) {}

        SlowServer(int most) {
            client = new PatientRequests(1, most, this::send, () -> millis * MILLI);
        }

        private void send(Attempt attempt) {
            awaited[(int) attempt.id()] = attempt;
            line.add(attempt);
            sent.add(new Sent(millis, attempt));
        }

        private boolean isAwaited(Attempt attempt) {
            return attempt.equals(awaited[(int) attempt.id()]);
        }

        int unansweredAfterAStop() {
            for (; millis < MILLIS; millis++) {
                client.take(millis, 0, 0);
                client.send();
                if (millis >= STOPPED_MILLIS) {
                    serve();
                    serve();
                }
                while (!sent.isEmpty() && millis - sent.peek().millis > GIVEN_UP_MILLIS) {
                    giveUp(sent.remove().attempt);
                }
            }
            return MILLIS - answered;
        }

        private void serve() {
            Attempt first = line.poll();
            if (first != null && isAwaited(first)) {
                awaited[(int) first.id()] = null;
                answered++;
                client.answered(first);
            }
        }

        private void giveUp(Attempt attempt) {
            if (isAwaited(attempt)) {
                awaited[(int) attempt.id()] = null;
                client.failed(attempt);
            }
        }
    }
}
