package dev.larder.array.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.tests.support.Porcupine;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The judge. By the clock of its history, a key is seen until its lifetime ends, and missing from then on, give or take 20 ms. A
 * write without an answer takes effect at some time after its call, once or never.
 */
final class JudgeTest {

    private static final long MILLI = 1_000_000;

    @BeforeEach
    void needsTheJudge() {
        Porcupine.missing().ifPresent(reason -> assumeTrue(false, reason));
    }

    /** A key has a lifetime of 100 ms, from a call that takes from 0 to 2 ms. */
    @ParameterizedTest
    @CsvSource({"v, 90, true", "v, 121, true", "v, 123, false", "v, 126, false", "nil, 79, false", "nil, 81, true"})
    void knowsHowLongAKeyMayBeSeen(String seen, long millis, boolean isRight) {
        long called = millis * MILLI;
        List<String> history =
                List.of("k px:v:100 OK 0 " + 2 * MILLI, "k get " + seen + " " + called + " " + (called + 10));
        assertThat(Porcupine.misfit("string", history).isEmpty()).isEqualTo(isRight);
    }

    /** Each history has an open write, called at 10. The answers come at other times. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "set:a | k get nil 20 21 | true",
                "set:a | k get a 20 21 | true",
                "set:a | k get a 5 9 | false",
                "set:a | k get a 20 21; k set:b OK 30 31; k get b 40 41; k get b 50 51 | true",
                "set:a | k get nil 20 21; k set:b OK 30 31; k get b 40 41; k get a 50 51 | true",
                "set:a | k get a 20 21; k set:b OK 30 31; k get b 40 41; k get a 50 51 | false",
                "set:a | k get nil 20 21; k get a 30 31; k get nil 40 41 | false",
                "set:a | k del 1 20 21 | true",
                "incr | k get 1 20 21; k incr 2 30 31; k get 2 40 41 | true",
                "incr | k incr 1 20 21; k incr 3 30 31; k get 3 40 41 | true",
                "incr | k incr 2 20 21; k incr 4 30 31 | false",
                "append:.a | k append:.b 4 20 21; k get .a.b 30 31 | true",
                "append:.a | k append:.b 2 20 21; k get .b.a 30 31 | true",
                "append:.a | k append:.b 2 20 21; k get .a.b 30 31 | false",
                "getdel | k set:b OK 20 21; k get nil 30 31; k nx:c OK 40 41; k get c 50 51 | true",
                "xadd:a | k xadd:b OK 20 21; k xall b 30 31; k xadd:c OK 40 41; k xall b.a.c 50 51 | true",
                "xadd:a | k xadd:b OK 20 21; k xall b 30 31; k xadd:c OK 40 41; k xall a.b.c 50 51 | false",
                "xadd:a | k xadd:b OK 20 21; k xlen 2 30 31; k xtrim:1 1 40 41; k xall a 50 51 | true",
                "xadd:a | k xadd:b OK 20 21; k xlen 1 30 31; k xall b.a 40 41; k xlen 1 50 51 | false",
                "xtrim:1 | k xadd:b,xadd:c,xlen OK,OK,2 20 21; k xall c 30 31; k del 1 40 41 | true",
                "xtrim:1 | k xadd:b,xadd:c,xlen OK,OK,2 20 21; k xall b 30 31; k del 1 40 41 | false",
                "getdel | k set:b OK 20 21; k get nil 30 31; k nx:c OK 40 41; k get nil 50 51 | false",
                "incr | k incr 1 20 21; k append:.b 3 30 31; k get 2.b 40 41 | true",
                "incr | k incr 1 20 21; k append:.b 3 30 31; k get 3.b 40 41 | false",
                "append:.a | k incr 1 20 21; k incr err 30 31; k get 1.a 40 41 | true",
            })
    void knowsWhenAnOpenWriteMayHaveItsEffect(String write, String answers, boolean isRight) {
        List<String> history = new ArrayList<>(List.of(answers.split("; *", -1)));
        history.add("k " + write + " ? 10 " + Long.MAX_VALUE);
        assertThat(Porcupine.misfit("string", history).isEmpty()).isEqualTo(isRight);
    }

    /** A lifetime ends, and no call sees that. Then a write without an answer has its effect, and an answer needs it. */
    @ParameterizedTest
    @ValueSource(strings = {"xx:x OK", "nx:x nil", "del 1", "get w"})
    void knowsThatAnOpenWriteMayFollowTheUnseenEndOfAKey(String answer) {
        List<String> history = List.of(
                "k px:v:100 OK 0 " + MILLI,
                "k set:w ? " + 200 * MILLI + " " + Long.MAX_VALUE,
                "k " + answer + " " + 300 * MILLI + " " + 301 * MILLI);
        assertThat(Porcupine.misfit("string", history)).isEmpty();
    }

    /** The stream before a trim is no prefix of the next answer. */
    @Test
    void triesOpenTrimsBetweenOthers() {
        List<String> history = List.of(
                "k xadd:a,xadd:b,xlen OK,OK,2 0 1",
                "k xadd:c ? 2 " + Long.MAX_VALUE,
                "k xtrim:2 ? 3 " + Long.MAX_VALUE,
                "k xadd:d ? 4 " + Long.MAX_VALUE,
                "k xall b.c.d 10 11");
        assertThat(Porcupine.misfit("string", history)).isEmpty();
    }

    /** If the judge tried each order of the open writes, it would not come to an end. */
    @Test
    void comesToAnEndWithManyOpenWrites() {
        List<String> history = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String write = i % 3 == 0 ? "append:.a" + i : i % 3 == 1 ? "set:s" + i : "del";
            history.add("k " + write + " ? " + i + " " + Long.MAX_VALUE);
        }
        for (int i = 0; i < 40; i++) {
            long called = 1000L + 10L * i;
            String answer = i % 4 == 0 ? "get nil" : i % 4 == 1 ? "set:w" + i + " OK" : "get w" + (i - i % 4 + 1);
            history.add("k " + answer + " " + called + " " + (called + 5));
        }
        assertThat(Porcupine.misfit("string", history)).isEmpty();
        history.add("k get s1 2000 2001");
        history.add("k get s4 2010 2011");
        assertThat(Porcupine.misfit("string", history)).isEmpty();
        history.add("k get s1 2020 2021");
        assertThat(Porcupine.misfit("string", history)).isNotEmpty();
    }
}
