package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.support.Samples;
import java.lang.foreign.MemorySegment;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Our UTF-8 against the JDK's. */
final class Utf8Test {

    private static final String BORDERS = "\0\u007f\u0080\u07ff\u0800\ud7ff\ud800\udbff\udc00\udfff\ue000\uffff";

    /** Returns any UTF-16 units at all, halves of pairs included, those around the borders frequent. */
    private static String anyUnits(RandomGenerator random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(41); i > 0; i--) {
            text.append(anyUnit(random));
        }
        text.insert(0, "plain".repeat(random.nextInt(8)));
        return text.toString();
    }

    private static char anyUnit(RandomGenerator random) {
        return switch (random.nextInt(4)) {
            case 0 -> BORDERS.charAt(random.nextInt(BORDERS.length()));
            case 1 -> (char) random.nextInt(0xd800, 0xe000);
            case 2 -> (char) random.nextInt(0x10000);
            default -> (char) random.nextInt(0x80);
        };
    }

    @Test
    void writesWhatTheJdkWrites() {
        Samples.check(random -> {
            String text = anyUnits(random);
            byte[] expected = text.getBytes(StandardCharsets.UTF_8);
            assertThat(encode(text)).isEqualTo(expected);
            assertThat(encode(CharBuffer.wrap(text))).isEqualTo(expected);
        });
    }

    @Test
    void writesEveryCodePoint() {
        for (int point = 0; point <= Character.MAX_CODE_POINT; point++) {
            String text = Character.toString(point);
            byte[] expected = text.getBytes(StandardCharsets.UTF_8);
            assertThat(java.util.Arrays.equals(encode(text), expected))
                    .as("U+%X", point)
                    .isTrue();
        }
    }

    private static byte[] encode(CharSequence text) {
        byte[] bytes = new byte[Utf8.lengthBytes(text) + 2];
        long end = Utf8.encode(text, MemorySegment.ofArray(bytes), 1);
        assertThat(end).isEqualTo(bytes.length - 1);
        assertThat(bytes[0] | bytes[bytes.length - 1]).isZero();
        return java.util.Arrays.copyOfRange(bytes, 1, bytes.length - 1);
    }
}
