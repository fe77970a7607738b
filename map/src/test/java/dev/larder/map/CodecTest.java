package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.codec.ValueCodec;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A codec whose record is given back while it reads it. */
@Timeout(60)
final class CodecTest {

    private static final int LENGTH = 100_000;

    @TempDir
    Path directory;

    /** The bytes themselves, before the first reading of which something is done. */
    private static final class Interrupted implements ValueCodec<byte[]> {
        private final ValueCodec<byte[]> bytes = ValueCodec.bytes();
        private Runnable meanwhile = () -> {};
        private int errors;

        @Override
        public int lengthBytes(byte[] value) {
            return bytes.lengthBytes(value);
        }

        @Override
        public void write(byte[] value, MemorySegment target, long offset, int length) {
            bytes.write(value, target, offset, length);
        }

        @Override
        public byte[] read(MemorySegment source, long offset, int length) {
            Runnable first = meanwhile;
            meanwhile = () -> {};
            first.run();
            try {
                return bytes.read(source, offset, length);
            } catch (IllegalStateException e) {
                errors++;
                throw e;
            }
        }
    }

    @Test
    void isCalledAgainWhereItLetsTheErrorPass() {
        Interrupted codec = new Interrupted();
        try (LarderMap<Long, byte[]> map = LarderMap.open(directory, ValueCodec.longs(), codec, TestMaps.options())) {
            map.set(-1L, new byte[7]);
            putOver(map);
            codec.meanwhile = () -> {
                putOver(map);
                map.compact();
            };
            assertThat(map.get(-1L)).isEqualTo(new byte[7]);
            assertThat(codec.errors).as("its record was given back").isPositive();
        }
    }

    private static void putOver(LarderMap<Long, byte[]> map) {
        for (long put = 0; put < 50; put++) {
            map.set(put % 5, new byte[LENGTH]);
        }
    }
}
