package dev.larder.lab.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who leads the first slot, by a reply of a node. */
final class ArrayNodesTest {

    private static final List<Integer> PORTS = List.of(7000, 7001, 7002);

    /** Every line has a 0 for a ping that was never sent. */
    @Test
    void knowsTheLeaderOfTheFirstSlot() {
        String nodes = """
            a 127.0.0.1:7000@17000 myself,master - 0 0 1 connected 100-199
            b 127.0.0.1:7001@17001 slave a 0 0 0 connected
            c 127.0.0.1:7002@17002,localhost master - 0 1700000000 3 connected 200-299 0-99
            """;
        assertThat(ArrayNodes.leader(nodes, PORTS)).hasValue(2);
        assertThat(ArrayNodes.leader(nodes.replace(" 0-99", " 0"), PORTS)).hasValue(2);
        assertThat(ArrayNodes.leader(nodes.replace(" 0-99", " 10-99"), PORTS)).isEmpty();
    }

    @Test
    void readsAReplyThatComesInParts() throws IOException {
        String text = "a 127.0.0.1:7000@17000\n".repeat(3);
        String reply = "$" + text.length() + "\r\n" + text + "\r\n";
        InputStream slow = new ByteArrayInputStream(reply.getBytes(StandardCharsets.US_ASCII)) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int length) {
                return super.read(bytes, offset, Math.min(length, 5));
            }
        };
        assertThat(ArrayNodes.bulk(slow)).isEqualTo(text);
        InputStream error = new ByteArrayInputStream("-ERR\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> ArrayNodes.bulk(error)).isInstanceOf(IOException.class);
    }
}
