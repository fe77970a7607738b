package dev.larder.server.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.server.push.Tracker.Mode;
import dev.larder.server.push.Tracker.Settings;
import dev.larder.server.store.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of keys that clients keep copies of. */
final class TrackingTest {

    private static final Settings READS = new Settings(Mode.DEFAULT, 0, false, List.of());

    private final List<Push> pushes = new ArrayList<>();
    private final Tracking tracking = new Tracking(client -> null);
    private final Tracker tracker = new Tracker(1, pushes::add);

    @Test
    void aFullTableHasClientsForgetKeys() {
        tracking.keysMax(10);
        tracking.begin(tracker, READS);
        for (int i = 0; i < 1000; i++) {
            tracking.remember(tracker, Bytes.of("k" + i));
            assertThat(tracking.keys()).isLessThanOrEqualTo(10);
            assertThat(pushes.size() + tracking.keys()).isEqualTo(i + 1);
        }
        assertThat(tracking.items()).isEqualTo(10);
        assertThat(pushes.stream().map(TrackingTest::text).distinct()).hasSize(990);
        tracking.keysMax(3);
        assertThat(tracking.keys()).isEqualTo(3);
        assertThat(pushes).hasSize(997);
        tracking.keysMax(0);
        tracking.remember(tracker, Bytes.of("more"));
        assertThat(tracking.keys()).isEqualTo(4);
    }

    @Test
    void aKeyThatIsLostIsToldAlsoWhereOwnChangesAreNot() {
        tracking.begin(tracker, new Settings(Mode.DEFAULT, 0, true, List.of()));
        Turn turn = tracking.turn();
        turn.begin(1);
        tracking.remember(tracker, Bytes.of("a"));
        tracking.remember(tracker, Bytes.of("b"));
        tracking.changed(Bytes.of("a"));
        assertThat(pushes).isEmpty();
        tracking.lost(Bytes.of("b"));
        assertThat(pushes).hasSize(1);
        tracking.finish(turn);
        assertThat(pushes).hasSize(1);
    }

    @Test
    void clientsThatAreGoneDoNotFillTheTable() {
        tracking.begin(tracker, READS);
        tracking.remember(tracker, Bytes.of("k"));
        for (int i = 0; i < 1000; i++) {
            Tracker passing = new Tracker(2 + i, push -> {});
            tracking.begin(passing, READS);
            tracking.remember(passing, Bytes.of("k"));
            tracking.end(passing);
            assertThat(tracking.items()).isLessThan(20);
        }
        tracking.changed(Bytes.of("k"));
        assertThat(pushes).hasSize(1);
        assertThat(tracking.items()).isZero();
    }

    @Test
    void aTableOfNobodyIsEmpty() {
        tracking.begin(tracker, READS);
        tracking.remember(tracker, Bytes.of("k"));
        tracking.end(tracker);
        assertThat(tracking.isUsed()).isFalse();
        assertThat(tracking.keys()).isZero();
        assertThat(tracking.items()).isZero();
        tracking.changed(Bytes.of("k"));
        assertThat(pushes).isEmpty();
    }

    @Test
    void whatChangesOutsideACommandIsToldAtOnce() {
        Tracker all = new Tracker(2, pushes::add);
        tracking.begin(all, new Settings(Mode.BROADCAST, 0, false, List.of(Bytes.of("a"))));
        tracking.changed(Bytes.of("ab"));
        tracking.changed(Bytes.of("b"));
        tracking.cleared();
        assertThat(pushes.stream().map(TrackingTest::text))
                .containsExactly(">2 $10 invalidate *1 $2 ab ", ">2 $10 invalidate _ ");
        assertThat(tracking.prefixes()).isEqualTo(1);
        tracking.end(all);
        assertThat(tracking.prefixes()).isZero();
    }

    private static String text(Push push) {
        ReplyBuffer buffer = new ReplyBuffer();
        ReplyEncoder encoder = new ReplyEncoder(buffer);
        encoder.setVersion(3);
        push.writeTo(encoder);
        assertThat(push.sizeBytes()).isGreaterThanOrEqualTo(buffer.sizeBytes());
        return new String(buffer.toByteArray(), StandardCharsets.US_ASCII).replace("\r\n", " ");
    }

    /** The failure does not affect the command that has made the change. */
    @Test
    void aClientThatCannotBeToldIsTheOnlyOneThatIsNot() {
        Tracker failing = new Tracker(2, push -> {
            throw new IllegalStateException("a mistake");
        });
        for (Tracker one : List.of(failing, tracker)) {
            tracking.begin(one, new Settings(Mode.BROADCAST, 0, false, List.of(Bytes.of("a"))));
            tracking.remember(one, Bytes.of("k"));
        }
        Turn turn = tracking.turn();
        turn.begin(3);
        tracking.changed(Bytes.of("k"));
        assertThat(pushes).hasSize(1);
        tracking.changed(Bytes.of("ab"));
        tracking.finish(turn);
        assertThat(pushes).hasSize(2);
        tracking.cleared();
        assertThat(pushes).hasSize(3);
    }
}
