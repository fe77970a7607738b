package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InFlightTest {

    private static final int REQUESTS = 50_000;

    @TempDir
    Path directory;

    @Test
    void keepsEachRequestOnceInWhateverOrderItIsAnswered() {
        Random random = new Random(1);
        try (ResponseLog log = new ResponseLog(directory)) {
            InFlight inFlight = new InFlight(log);
            List<Long> open = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                open.add(inFlight.begin(i, i + 1, i % 3));
                while (open.size() > 9_000 || (random.nextInt(3) == 0 && !open.isEmpty())) {
                    answer(inFlight, open.remove(random.nextInt(open.size())));
                }
            }
            open.subList(0, open.size() / 2).forEach(id -> answer(inFlight, id));
            assertThat(inFlight.pending()).isEqualTo(open.size() - open.size() / 2);
            inFlight.giveUp(9);
            assertThat(inFlight.pending()).isZero();
        }
        assertKept();
    }

    /** Answers a request twice: the second answer does not count. */
    private static void answer(InFlight inFlight, long id) {
        inFlight.end(id, id + 100, 0, 7, 8);
        inFlight.end(id, id + 200, 5, 7, 8);
        inFlight.end(id + 1_000_000, id, 0, 7, 8);
    }

    private void assertKept() {
        boolean[] seen = new boolean[REQUESTS];
        Responses.read(directory, (segment, offset, length) -> {
            assertThat(length).isEqualTo((int) Response.BYTES);
            int id = (int) Response.intended(segment, offset);
            assertThat(seen[id]).isFalse();
            seen[id] = true;
            assertThat(Response.sent(segment, offset)).isEqualTo(id + 1);
            assertThat(Response.kind(segment, offset)).isEqualTo(id % 3);
            boolean answered = Response.status(segment, offset) == 0;
            assertThat(Response.status(segment, offset)).isIn(0, Response.UNANSWERED);
            assertThat(Response.answered(segment, offset)).isEqualTo(answered ? id + 100 : 9);
            assertThat(Response.served(segment, offset)).isEqualTo(answered ? 8 : -1);
            assertThat(Response.waited(segment, offset)).isEqualTo(answered ? 7 : -1);
        });
        for (boolean one : seen) {
            assertThat(one).isTrue();
        }
    }
}
