package dev.larder.cli.entry;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class JsonMessagesTest {

    /** A parser of Jackson refuses a text of more than 100,000,000 characters by default. A message may have 1 GiB. */
    @Test
    void readsATextAsLongAsAMessageMayHave() {
        int length = 100_000_001;
        byte[] begin = "{\"text\":\"".getBytes(StandardCharsets.UTF_8);
        byte[] end = "\"}".getBytes(StandardCharsets.UTF_8);
        byte[] line = new byte[begin.length + length + end.length];
        Arrays.fill(line, (byte) 'a');
        System.arraycopy(begin, 0, line, 0, begin.length);
        System.arraycopy(end, 0, line, line.length - end.length, end.length);
        Object text = JsonMessages.object(line, 0, line.length).orElseThrow().get("text");
        assertThat(text instanceof String read ? read.length() : -1).isEqualTo(length);
    }
}
