package dev.larder.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ByteTextTest {

    @Test
    void utf8IsReadAsUtf8() {
        for (String text : new String[] {"", "abc", "\u00e4\u20ac", "\ud83d\ude00", "\ufffd", "\ud83d\udc80"}) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            assertThat(ByteText.of(bytes, 0, bytes.length)).isEqualTo(text);
            assertThat(ByteText.bytes(text)).isEqualTo(bytes);
        }
    }

    @Test
    void bytesThatAreNoUtf8ComeBack() {
        byte[] bytes = {'f', (byte) 0xFF, (byte) 0xC3, (byte) 0xA4, (byte) 0xC3, 'x', (byte) 0xE2, (byte) 0x82};
        String text = ByteText.of(bytes, 0, bytes.length);
        assertThat(text).isEqualTo("f\udcff\u00e4\udcc3x\udce2\udc82");
        assertThat(ByteText.bytes(text)).isEqualTo(bytes);
        assertThat(ByteText.of(bytes, 1, 3)).isEqualTo("\udcff\u00e4");
    }

    @Test
    void anyBytesComeBack() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            byte[] bytes = new byte[random.nextInt(12)];
            random.nextBytes(bytes);
            assertThat(ByteText.bytes(ByteText.of(bytes, 0, bytes.length))).isEqualTo(bytes);
        }
    }
}
