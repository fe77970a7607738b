package dev.larder.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.NotInMemoryException;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.server.MemoryFolder;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The strings that an eviction chooses, and the uses of them that it forgets. */
final class StringsMemoryTest {

    /** Fewer than a pass compares, so one pass sees all of them. */
    private static final int KEYS = 40;

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    /** A codec that reports, after a number of reads, that the next key is not in memory. */
    private static final class LeavingKeys implements ValueCodec<Bytes> {

        private int readable = Integer.MAX_VALUE;

        @Override
        public String name() {
            return BytesCodec.INSTANCE.name();
        }

        @Override
        public int lengthBytes(Bytes value) {
            return BytesCodec.INSTANCE.lengthBytes(value);
        }

        @Override
        public void write(Bytes value, MemorySegment segment, long offset, int length) {
            BytesCodec.INSTANCE.write(value, segment, offset, length);
        }

        @Override
        public Bytes read(MemorySegment segment, long offset, int length) {
            if (readable-- <= 0) {
                throw new NotInMemoryException("the key is not in memory");
            }
            return BytesCodec.INSTANCE.read(segment, offset, length);
        }
    }

    @Test
    void aLookThatMeetsAKeyWhichIsNotInMemoryForgetsNoUse() {
        LeavingKeys codec = new LeavingKeys();
        MapOptions options = MapOptions.defaults().withLog(LogOptions.defaults().withLargestSegmentBytes(4 << 20));
        try (LarderMap<Bytes, Bytes> map = LarderMap.open(directory, codec, BytesCodec.INSTANCE, options)) {
            StringsMemory memory = new StringsMemory(map, false, key -> {});
            memory.follow(EvictionPolicy.ALLKEYS_LRU, true);
            for (int i = 0; i < KEYS; i++) {
                map.set(Bytes.of("key" + i), Bytes.of("value"));
            }
            for (int i = 0; i < KEYS; i++) {
                assertThat(map.get(Bytes.of("key" + i))).isNotNull();
            }
            List<Bytes> chosen = new ArrayList<>();
            codec.readable = KEYS - 1;
            assertThatThrownBy(() -> memory.scanEvictable(0, EvictionPolicy.ALLKEYS_LRU, chosen::add))
                    .isInstanceOf(NotInMemoryException.class);
            codec.readable = Integer.MAX_VALUE;
            assertThat(chosen).isEmpty();
            map.set(Bytes.of("idle"), Bytes.of("value"));
            assertThat(memory.scanEvictable(0, EvictionPolicy.ALLKEYS_LRU, chosen::add))
                    .isZero();
            assertThat(chosen).first().isEqualTo(Bytes.of("idle"));
            for (int i = 0; i < KEYS; i++) {
                assertThat(map.takeUse(Bytes.of("key" + i))).as("key" + i).isFalse();
            }
        }
    }
}
