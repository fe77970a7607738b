package dev.larder.array.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.CorruptException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The two parts of an entry make the whole one again, and damage is reported. */
final class SplitEntryTest {

    private static final String LARGE = "0123456789abcdef".repeat(64);
    private static final String OTHER = "x".repeat(5000);

    private static Operation operation(String... words) {
        return Operation.of(call(words));
    }

    private static EntryCall call(String... words) {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(bytes("*" + words.length + "\r\n"));
        for (String word : words) {
            request.writeBytes(bytes("$" + word.length() + "\r\n" + word + "\r\n"));
        }
        return new EntryCall(2, request.toByteArray());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static ByteBuffer entry(Operation... operations) {
        return new Entry(77, List.of(operations)).encode();
    }

    /** Returns the keys and values that are taken out, as {@code key=value's length}. */
    private static List<String> taken(ByteBuffer whole) {
        return SplitEntry.split(whole).stream()
                .flatMap(parts -> SplitEntry.of(parts.log()).keyed(parts.values()).stream())
                .map(one -> StandardCharsets.US_ASCII.decode(one.key().duplicate()) + "="
                        + one.value().remaining())
                .toList();
    }

    @Test
    void shouldTakeOutTheLargeValuesOfCommandsThatPutThem() {
        ByteBuffer whole = entry(
                operation("SET", "a", LARGE),
                operation("set", "b", LARGE, "EX", "10"),
                operation("SET", "small", LARGE.substring(1)),
                operation("SETEX", "c", "10", OTHER),
                operation("PSETEX", "d", "10", OTHER),
                operation("GETSET", "e", OTHER),
                operation("SETNX", "f", OTHER),
                operation("APPEND", "g", OTHER),
                operation("XADD", "h", "*", "field", OTHER),
                operation("MSET", "i", OTHER, "j", "1", "k", LARGE),
                new Operation(
                        true,
                        List.of(new WatchedKey(bytes("watched"), 5)),
                        List.of(call("INCR", "n"), call("MSETNX", "l", LARGE))));
        assertThat(taken(whole))
                .containsExactly(
                        "a=1024", "b=1024", "c=5000", "d=5000", "e=5000", "f=5000", "i=5000", "k=1024", "l=1024");
        SplitParts parts = SplitEntry.split(whole).orElseThrow();
        assertThat(SplitEntry.isSplit(parts.log())).isTrue();
        assertThat(SplitEntry.isSplit(whole)).isFalse();
        assertThat(SplitEntry.of(parts.log()).join(parts.values())).isEqualTo(whole);
        assertThat(parts.log().remaining() + parts.values().remaining()).isLessThan(whole.remaining() + 200);
    }

    @Test
    void shouldLeaveAnEntryWhole() {
        assertThat(SplitEntry.split(entry())).isEmpty();
        assertThat(SplitEntry.split(entry(operation("SET", "a", "1"), operation("GET", "a"))))
                .isEmpty();
        assertThat(SplitEntry.split(ByteBuffer.wrap(new byte[] {2, 0, 0}))).isEmpty(); // of a record
    }

    /** Otherwise the log's segments could stand for any number of bytes of values. */
    @Test
    void shouldKeepAPartOfTheBytesInTheLog() {
        SplitParts parts = SplitEntry.split(entry(operation("SET", "a", "v".repeat(1 << 20))))
                .orElseThrow();
        assertThat(parts.log().remaining()).isEqualTo((1 << 20) / 32);
    }

    @Test
    void shouldMakeTheSameEntryAgain() {
        Random random = new Random(3);
        for (int round = 0; round < 300; round++) {
            List<Operation> operations = new ArrayList<>();
            for (int i = random.nextInt(6); i >= 0; i--) {
                String[] words = Stream.concat(
                                Stream.of(random.nextBoolean() ? "MSET" : "SET"),
                                Stream.generate(() -> "k".repeat(1 + random.nextInt(2000)))
                                        .limit(2L + 2L * random.nextInt(3)))
                        .toArray(String[]::new);
                operations.add(operation(words));
            }
            ByteBuffer whole = entry(operations.toArray(Operation[]::new));
            SplitEntry.split(whole)
                    .ifPresent(parts -> assertThat(SplitEntry.of(parts.log()).join(parts.values()))
                            .isEqualTo(whole));
        }
    }

    @Test
    void shouldRefuseOtherValues() {
        SplitParts parts = SplitEntry.split(entry(operation("SET", "a", LARGE))).orElseThrow();
        parts.values().put(9, (byte) 0);
        assertThatThrownBy(() -> SplitEntry.of(parts.log()).join(parts.values()))
                .isInstanceOf(CorruptException.class)
                .hasMessage("the values of an entry differ from those with which it was made");
    }

    /** A log's part with bytes changed is a whole entry, or an error that says so. */
    @Test
    void shouldTellDamage() {
        Random random = new Random(1);
        SplitParts parts = SplitEntry.split(entry(operation("MSET", "a", LARGE, "b", OTHER), operation("INCR", "c")))
                .orElseThrow();
        for (int i = 0; i < 50_000; i++) {
            byte[] damaged = new byte
                    [random.nextInt(4) == 0
                            ? random.nextInt(parts.log().remaining())
                            : parts.log().remaining()];
            parts.log().get(0, damaged);
            if (damaged.length > 0) {
                damaged[random.nextInt(Math.min(60, damaged.length))] = (byte) random.nextInt();
            }
            try {
                SplitEntry entry = SplitEntry.of(ByteBuffer.wrap(damaged));
                entry.keyed(parts.values());
                entry.join(parts.values());
            } catch (CorruptException e) {
                assertThat(e.getMessage()).contains("an entry");
            }
        }
    }
}
