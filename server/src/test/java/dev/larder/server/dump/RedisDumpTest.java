package dev.larder.server.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Dumps with a right checksum and any contents. */
final class RedisDumpTest {

    private static final int MOST = 1 << 16;

    @Test
    void theChecksumIsThatOfRedis() {
        byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
        assertThat(Crc64.of(digits, 0, digits.length)).isEqualTo(0xE9C6D914C4B8D9CAL);
    }

    @Test
    void packedBytesMayRepeatThemselves() {
        byte[] body = {0, (byte) 0xC3, 6, 12, 1, 'a', 'b', (byte) 0xE0, 1, 1};
        // two literals, then ten bytes from two before on
        assertThat(RedisDump.value(DumpReader.open(dump(body), MOST)).toString())
                .isEqualTo("ab".repeat(6));
    }

    @Test
    void anyContentsAreAStringOrAnError() {
        Random random = new Random(3);
        int strings = 0;
        int errors = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] body = new byte[random.nextInt(40)];
            random.nextBytes(body);
            if (body.length > 2) {
                body[0] = 0;
                body[1] = (byte) (random.nextBoolean() ? 0xC3 : body[1]);
            }
            try {
                assertThat(RedisDump.value(DumpReader.open(dump(body), MOST)).length())
                        .isLessThanOrEqualTo(MOST);
                strings++;
            } catch (ReplyException e) {
                assertThat(e.getMessage()).startsWith("ERR ");
                errors++;
            }
        }
        assertThat(strings).isPositive();
        assertThat(errors).isPositive();
    }

    @Test
    void anyStreamIsReadOrAnError() {
        byte[] whole = HexFormat.of()
                .parseHex("0f01100000000000000001000000000000000020200000000a000101000101018464617461050001020100010001"
                        + "8161020401ff01010000");
        StreamDump.read(dump(whole), MOST, MOST);
        Random random = new Random(4);
        int errors = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] body = Arrays.copyOf(whole, random.nextInt(4) > 0 ? whole.length : 1 + random.nextInt(whole.length));
            for (int changes = random.nextInt(3); changes >= 0 && body.length > 1; changes--) {
                body[1 + random.nextInt(body.length - 1)] = (byte) random.nextInt(256);
            }
            try {
                StreamDump.read(dump(body), MOST, MOST);
            } catch (ReplyException e) {
                assertThat(e.getMessage()).startsWith("ERR ");
                errors++;
            }
        }
        assertThat(errors).isBetween(1, 19_999);
    }

    /** Regression: the entries of the first one belonged to no consumer afterwards. */
    @Test
    void twoConsumersOfOneNameAreRefused() {
        String consumer = "0163" + "0000000000000000" + "00"; // its name, when it was seen, no entries
        String group = "0f" + "00000000" + "01" + "0167" + "000000"; // an empty stream, and a group without entries
        StreamDump.read(dump(HexFormat.of().parseHex(group + "01" + consumer)), MOST, MOST);
        byte[] twice = HexFormat.of().parseHex(group + "02" + consumer + consumer);
        assertThatThrownBy(() -> StreamDump.read(dump(twice), MOST, MOST))
                .isInstanceOf(ReplyException.class)
                .hasMessageContaining("Bad data format");
    }

    /**
     * Three bytes may unpack to 264, and every two of these to an object. So an entry is read no further than its largest length.
     */
    @Test
    void anEntryThatUnpacksToMoreThanItMayHaveIsRefused() {
        int pairs = MOST / 8;
        ByteBuffer listpack = ByteBuffer.allocate(MOST).order(ByteOrder.LITTLE_ENDIAN);
        listpack.putInt(0).putShort((short) 0);
        for (int number : new int[] {1, 0, 0, 0, 0, 0, 0}) { // counts of the node; flags and id of the entry
            listpack.put((byte) number).put((byte) 1);
        }
        listpack.put((byte) 0xF1).putShort((short) pairs).put((byte) 3);
        for (int i = 0; i < 2 * pairs; i++) {
            listpack.put((byte) 7).put((byte) 1);
        }
        listpack.put((byte) 0xF1)
                .putShort((short) (2 * pairs + 4))
                .put((byte) 3)
                .put((byte) 0xFF);
        listpack.putInt(0, listpack.position());
        byte[] packed = packed(Arrays.copyOf(listpack.array(), listpack.position()));
        ByteBuffer body = ByteBuffer.allocate(packed.length + 64);
        body.put((byte) 0x0F).put((byte) 1).put((byte) 16).putLong(1).putLong(0);
        body.put((byte) 0xC3)
                .put((byte) 0x80)
                .putInt(packed.length)
                .put((byte) 0x80)
                .putInt(listpack.position());
        body.put(packed).put((byte) 1).put((byte) 1).put((byte) 0).put((byte) 0);
        Bytes dump = dump(Arrays.copyOf(body.array(), body.position()));
        assertThat(dump.length()).isLessThan(MOST / 16);
        StreamDump.read(dump, MOST, 2 * MOST); // the dump is whole
        assertThatThrownBy(() -> StreamDump.read(dump, MOST, MOST / 2))
                .isInstanceOf(ReplyException.class)
                .hasMessageContaining("an entry of a stream has at most " + MOST / 2);
    }

    /** Packs bytes. A run that equals the bytes two before is packed as its length. */
    private static byte[] packed(byte[] bytes) {
        ByteBuffer out = ByteBuffer.allocate(2 * bytes.length);
        for (int at = 0; at < bytes.length; ) {
            int same = 0;
            while (at >= 2 && same < 264 && at + same < bytes.length && bytes[at + same] == bytes[at + same - 2]) {
                same++;
            }
            if (same >= 9) {
                out.put((byte) 0xE0).put((byte) (same - 9)).put((byte) 1);
                at += same;
            } else {
                out.put((byte) 0).put(bytes[at]);
                at++;
            }
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    private static Bytes dump(byte[] body) {
        ByteBuffer dump = ByteBuffer.allocate(body.length + 10).order(ByteOrder.LITTLE_ENDIAN);
        dump.put(body).putShort((short) 10);
        dump.putLong(Crc64.of(dump.array(), 0, dump.position()));
        return Bytes.of(dump.array());
    }
}
