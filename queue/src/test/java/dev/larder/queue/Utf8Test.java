package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Our UTF-8 against the JDK's. */
final class Utf8Test {

    /** Any UTF-16 units at all, halves of pairs included, with those around the borders made frequent. */
    @Provide
    Arbitrary<String> anyUnits() {
        Arbitrary<Character> borders = Arbitraries.of(
                '\0', '\u007f', '\u0080', '\u07ff', '\u0800', '\ud7ff', '\ud800', '\udbff', '\udc00', '\udfff',
                '\ue000', '\uffff');
        Arbitrary<Character> halves = Arbitraries.chars().range('\ud800', '\udfff');
        Arbitrary<Character> all = Arbitraries.chars().range('\0', '\uffff');
        return Arbitraries.oneOf(borders, halves, all, Arbitraries.chars().ascii())
                .list()
                .ofMaxSize(40)
                .map(units -> {
                    StringBuilder text = new StringBuilder();
                    units.forEach(text::append);
                    return text.toString();
                });
    }

    @Property(tries = 2000)
    void writesWhatTheJdkWrites(@ForAll("anyUnits") String text) {
        byte[] expected = text.getBytes(StandardCharsets.UTF_8);
        assertThat(encode(text)).isEqualTo(expected);
        assertThat(encode(new StringBuilder(text))).isEqualTo(expected);
    }

    @Example
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
