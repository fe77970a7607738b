package dev.larder.lab.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class Utf8ReaderTest {

    private static final String ALL_LENGTHS = "aé€\uD83D\uDE00";

    private static Utf8Reader reader(byte[] bytes) {
        return new Utf8Reader(new ByteArrayInputStream(bytes));
    }

    private static String read(Utf8Reader reader) throws IOException {
        StringWriter text = new StringWriter();
        reader.transferTo(text);
        return text.toString();
    }

    @Test
    void readsCharactersOfEveryLengthAcrossItsBuffers() throws IOException {
        for (int shift = 0; shift < 4; shift++) {
            String text = "x".repeat(shift) + ALL_LENGTHS.repeat(5_000);
            Utf8Reader reader = reader(text.getBytes(UTF_8));
            assertThat(read(reader)).isEqualTo(text);
            assertThat(reader.replaced()).isZero();
        }
    }

    @Test
    void readsCharacterByCharacter() throws IOException {
        Utf8Reader reader = reader(ALL_LENGTHS.getBytes(UTF_8));
        for (int at = 0; at < ALL_LENGTHS.length(); at++) {
            assertThat(reader.read()).isEqualTo(ALL_LENGTHS.charAt(at));
        }
        assertThat(reader.read()).isEqualTo(-1);
    }

    @Test
    void countsWhatItReplaces() throws IOException {
        byte[] bytes = {'a', (byte) 0xFF, 'b', (byte) 0xC3, 'c', (byte) 0xE2, (byte) 0x82};
        Utf8Reader reader = reader(bytes);
        assertThat(read(reader)).isEqualTo("a\uFFFDb\uFFFDc\uFFFD");
        assertThat(reader.replaced()).isEqualTo(3);
    }

    @Test
    void replacesAtTheEndOfItsBuffer() throws IOException {
        for (int length = 8_189; length < 8_195; length++) {
            byte[] bytes = "x".repeat(length + 2).getBytes(UTF_8);
            bytes[length] = (byte) 0x80;
            Utf8Reader reader = reader(bytes);
            assertThat(read(reader)).isEqualTo("x".repeat(length) + "\uFFFDx");
            assertThat(reader.replaced()).isEqualTo(1);
        }
    }
}
