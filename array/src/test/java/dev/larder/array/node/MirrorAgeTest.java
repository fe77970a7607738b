package dev.larder.array.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How old a mirror's answers are, by a clock that the test sets. */
final class MirrorAgeTest {

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final MirrorAge age = new MirrorAge(Duration.ofSeconds(5), nanos::get, 70);

    private void pass(long seconds) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void theAgeCountsFromTheQuestionOnceWhatIsAnsweredIsApplied() {
        assertThat(age.isFresh()).isFalse();
        assertThat(age.ask()).hasValue(70);
        assertThat(age.ask()).isEqualTo(OptionalLong.empty()); // not due
        pass(2);
        age.told(70, 40);
        age.applied(39);
        assertThat(age.isFresh()).isFalse();
        age.applied(40);
        assertThat(age.isFresh()).isTrue();
        pass(2);
        assertThat(age.isFresh()).isTrue();
        pass(1);
        assertThat(age.isFresh()).isFalse();
        age.applied(1000); // the mirror has more, and no leader has said that this is all
        assertThat(age.isFresh()).isFalse();
    }

    /** Regression: a thread that stalled within the read sent what it had read, however old that was. */
    @Test
    void aReadDuringWhichTheMirrorBecomesTooOldSendsNothing() {
        ReplyBuffer sent = new ReplyBuffer();
        ReplyEncoder reply = new ReplyEncoder(sent);
        assertThat(MirrorAge.readFresh(age::isFresh, reply, reply::ok)).isFalse();
        age.ask();
        age.told(70, 40);
        age.applied(40);
        assertThat(MirrorAge.readFresh(age::isFresh, reply, reply::ok)).isTrue();
        assertThat(sent.toByteArray()).asString().isEqualTo("+OK\r\n");
        assertThat(MirrorAge.readFresh(age::isFresh, reply, () -> {
                    reply.ok();
                    pass(5);
                }))
                .isFalse();
        assertThat(sent.toByteArray()).asString().isEqualTo("+OK\r\n");
    }

    @Test
    void answersThatAreLateOrToNobodysQuestionSayNothing() {
        assertThat(age.ask()).hasValue(70);
        age.told(69, 0);
        age.told(71, 0);
        age.applied(10);
        assertThat(age.isFresh()).isFalse();
        pass(6);
        age.told(70, 0);
        age.applied(10);
        assertThat(age.isFresh()).isFalse();
        assertThat(age.ask()).hasValue(71);
        age.told(71, 20);
        pass(1);
        assertThat(age.ask()).hasValue(72);
        age.told(72, 10); // from a leader that was slower
        age.applied(10);
        assertThat(age.isFresh()).isTrue();
        age.applied(20);
        pass(4);
        assertThat(age.isFresh()).isTrue();
        pass(1);
        assertThat(age.isFresh()).isFalse();
    }
}
