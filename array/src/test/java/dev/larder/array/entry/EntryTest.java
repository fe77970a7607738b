package dev.larder.array.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.CorruptException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class EntryTest {

    private static final Entry ENTRY = new Entry(
            1234,
            List.of(
                    Operation.of(new EntryCall(3, bytes("GET a"))),
                    new Operation(
                            true,
                            List.of(new WatchedKey(bytes("key"), -5), new WatchedKey(new byte[0], 0)),
                            List.of(new EntryCall(2, bytes("one")), new EntryCall(2, bytes("two")))),
                    new Operation(true, List.of(), List.of())));

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void whatIsEncodedIsDecoded() {
        Entry decoded = Entry.decode(ENTRY.encode());
        assertThat(decoded).usingRecursiveComparison().isEqualTo(ENTRY);
        assertThat(decoded.encode()).isEqualTo(ENTRY.encode());
    }

    @Test
    void theSizeIsTold() {
        int bytes = ENTRY.operations().stream().mapToInt(Operation::sizeBytes).sum();
        assertThat(ENTRY.encode().remaining()).isEqualTo(13 + bytes);
    }

    /** A prefix of an entry, or an entry with a byte changed, is an entry or an error. It never takes memory without bound. */
    @Test
    void damageIsAnEntryOrAnError() {
        Random random = new Random(1);
        ByteBuffer whole = ENTRY.encode();
        int entries = 0;
        for (int i = 0; i < 100_000; i++) {
            byte[] damaged = new byte[random.nextInt(4) == 0 ? random.nextInt(whole.remaining()) : whole.remaining()];
            whole.get(0, damaged);
            if (damaged.length > 0) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            try {
                Entry.decode(ByteBuffer.wrap(damaged));
                entries++;
            } catch (CorruptException e) {
                assertThat(e.getMessage()).contains("an entry");
            }
        }
        assertThat(entries).isPositive();
    }

    @Test
    void anotherVersionIsNamed() {
        ByteBuffer later = ENTRY.encode();
        later.put(0, (byte) 2);
        assertThatThrownBy(() -> Entry.decode(later))
                .isInstanceOf(CorruptException.class)
                .hasMessage("an entry has version 2, but this node knows 1");
    }

    @Test
    void aCommandIsOneCall() {
        assertThatThrownBy(() -> new Operation(false, List.of(), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void repliesAreDecoded() {
        Replies replies = new Replies(
                List.of(Optional.of(List.of(bytes("+OK"), bytes(""))), Optional.empty(), Optional.of(List.of())));
        assertThat(Replies.decode(replies.encode())).usingRecursiveComparison().isEqualTo(replies);
        assertThatThrownBy(() -> Replies.decode(ByteBuffer.wrap(new byte[] {0, 0, 0, 1})))
                .isInstanceOf(CorruptException.class);
    }
}
