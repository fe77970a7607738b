package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A text that another thread changes after its bytes were counted: no byte is written behind the counted ones. */
final class ChangedTextTest {

    private static final int COUNTED = 16;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "seven..",
                "sixteen.......\u20ac",
                "fifteen........\u00e9",
                "seventeen........",
                "twenty-four.............",
                "\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac",
                "\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00"
            })
    void isRefusedWithinItsBytes(String changed) {
        byte[] bytes = new byte[COUNTED + 32];
        assertThatIllegalStateException()
                .isThrownBy(() -> Utf8.encodeExactly(changed, MemorySegment.ofArray(bytes), 0, COUNTED))
                .withMessage("the text changed while it was appended");
        for (int i = COUNTED; i < bytes.length; i++) {
            assertThat(bytes[i]).as("byte %d", i).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sixteen.........", "thirteen.....\u20ac"})
    void isWrittenIfItStillFits(String text) {
        byte[] bytes = new byte[COUNTED];
        Utf8.encodeExactly(text, MemorySegment.ofArray(bytes), 0, COUNTED);
        assertThat(bytes).asString(StandardCharsets.UTF_8).isEqualTo(text);
    }
}
