package dev.larder.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Replies byte by byte, in both versions. */
final class ReplyEncoderTest {

    private static String written(int version, Consumer<ReplyEncoder> replies) {
        ReplyBuffer buffer = new ReplyBuffer();
        ReplyEncoder encoder = new ReplyEncoder(buffer);
        encoder.setVersion(version);
        assertThat(encoder.version()).isEqualTo(version);
        replies.accept(encoder);
        return new String(buffer.toByteArray(), StandardCharsets.UTF_8);
    }

    private static void assertWritten(String resp2, String resp3, Consumer<ReplyEncoder> replies) {
        assertThat(written(2, replies)).isEqualTo(resp2.replace("|", "\r\n"));
        assertThat(written(3, replies)).isEqualTo(resp3.replace("|", "\r\n"));
    }

    /** A buffer counts the bytes that it does not keep, and can be taken back to an earlier size. */
    @Test
    void keepsNoMoreThanItMay() {
        ReplyBuffer buffer = new ReplyBuffer(10);
        ReplyEncoder encoder = new ReplyEncoder(buffer);
        encoder.ok();
        int before = buffer.sizeBytes();
        encoder.status("QUEUED");
        encoder.ok();
        assertThat(buffer.isCut()).isTrue();
        assertThat(buffer.sizeBytes()).isEqualTo(19);
        assertThatIllegalStateException().isThrownBy(buffer::toByteArray).withMessageContaining("19 bytes");
        buffer.truncate(before);
        encoder.ok();
        assertThat(buffer.isCut()).isFalse();
        assertThat(buffer.toByteArray()).asString().isEqualTo("+OK\r\n+OK\r\n");
    }

    @Test
    void writesEachType() {
        assertWritten("+OK|", "+OK|", ReplyEncoder::ok);
        assertWritten("+QUEUED|", "+QUEUED|", encoder -> encoder.status("QUEUED"));
        assertWritten("-ERR a b  c|", "-ERR a b  c|", encoder -> encoder.error("ERR a\nb\r\nc"));
        assertWritten("$-1|", "_|", ReplyEncoder::nil);
        assertWritten("*-1|", "_|", ReplyEncoder::nilArray);
        assertWritten("*2|", "*2|", encoder -> encoder.array(2));
        assertWritten("*4|", "%2|", encoder -> encoder.map(2));
        assertWritten("*3|", "~3|", encoder -> encoder.set(3));
        assertWritten("*3|", ">3|", encoder -> encoder.push(3));
        assertWritten("$3|3.5|", ",3.5|", encoder -> encoder.real(3.5));
        assertWritten(":1|:0|", "#t|#f|", encoder -> {
            encoder.truth(true);
            encoder.truth(false);
        });
        assertWritten(
                "$20|12345678901234567890|",
                "(12345678901234567890|",
                encoder -> encoder.bigNumber("12345678901234567890"));
        assertWritten("$4|h\u00e9y|", "=8|txt:h\u00e9y|", encoder -> encoder.verbatim("txt", "h\u00e9y"));
        assertWritten("$3|abc|$2|bc|$1|z|", "$3|abc|$2|bc|$1|z|", encoder -> {
            encoder.text("abc");
            encoder.bulk(ByteBuffer.wrap(new byte[] {'a', 'b', 'c'}), 1, 2);
            encoder.beginBulk(1);
            encoder.output().write((byte) 'z');
            encoder.endBulk();
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 9, 10, -10, 1_234_567_890_123L, Long.MAX_VALUE, Long.MIN_VALUE})
    void writesIntegers(long value) {
        assertThat(written(2, encoder -> encoder.integer(value))).isEqualTo(":" + value + "\r\n");
    }

    /** As {@code printf("%.17g")} prints them. */
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0.0, -0",
        "3.5, 3.5",
        "0.1, 0.10000000000000001",
        "-2.25, -2.25",
        "100000, 100000",
        "1e16, 10000000000000000",
        "1e17, 1e+17",
        "1.5e300, 1.5000000000000001e+300",
        "0.0001, 0.0001",
        "0.00001, 1.0000000000000001e-05",
        "NaN, nan",
        "Infinity, inf",
        "-Infinity, -inf",
    })
    void writesNumbersWithAFraction(double value, String text) {
        assertThat(RealText.of(value)).isEqualTo(text);
    }

    @Test
    void knowsTwoVersions() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReplyEncoder(new ReplyBuffer()).setVersion(4))
                .withMessage("RESP version 4: must be 2 or 3");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReplyEncoder(new ReplyBuffer()).verbatim("text", "x"))
                .withMessageContaining("\"text\"");
    }

    @Test
    void movesWhatWasKept() {
        ReplyBuffer kept = new ReplyBuffer();
        new ReplyEncoder(kept).bulk(new byte[1000]);
        ReplyBuffer all = new ReplyBuffer();
        kept.moveTo(all);
        assertThat(kept.sizeBytes()).isZero();
        assertThat(all.sizeBytes()).isEqualTo(1000 + "$1000\r\n\r\n".length());
        all.clear();
        assertThat(all.toByteArray()).isEmpty();
    }
}
