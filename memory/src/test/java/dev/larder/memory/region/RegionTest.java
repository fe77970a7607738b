package dev.larder.memory.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.BytesChannel;
import dev.larder.memory.ClosedException;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.UnsupportedRegionException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The behavior of a region of any kind, within one process. */
final class RegionTest {

    private static final int BYTES = 10_000; // neither a page nor a multiple of one

    @TempDir
    Path directory;

    private TestRegions regions = new TestRegions(Path.of(""));

    @BeforeEach
    void open() {
        regions = new TestRegions(directory);
    }

    @AfterEach
    void close() {
        regions.close();
    }

    @ParameterizedTest
    @EnumSource
    void isAllZerosAndOfItsSize(RegionKind kind) {
        Region region = regions.create(kind, BYTES);
        assertThat(region.sizeBytes()).isEqualTo(BYTES);
        assertThat(region.kind()).isEqualTo(kind);
        assertThat(region.segment().byteSize()).isEqualTo(BYTES);
        assertThat(region.segment().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        assertThat(region.name().isEmpty()).isNotEqualTo(kind.isNamed());
    }

    /** A creation that is refused leaves no name and no mapping behind. */
    @ParameterizedTest
    @EnumSource(
            names = {"HEAP", "DIRECT"},
            mode = EnumSource.Mode.EXCLUDE)
    void leavesNothingBehindInAClosedArena(RegionKind kind) throws IOException {
        TestRegions.assume(kind);
        String name = kind.isNamed() ? regions.name(kind) : "";
        Arena closed = Arena.ofShared();
        closed.close();
        long bytes = 16 << 20;
        int attempts = 20;
        long before = addressesInUse();
        for (int i = 0; i < attempts; i++) {
            assertThatThrownBy(() -> create(kind, name, bytes, closed)).isInstanceOf(IllegalStateException.class);
        }
        assertThat(addressesInUse() - before).isLessThan(attempts * bytes / 2);
        try (Arena arena = Arena.ofShared();
                Region region = create(kind, name, BYTES, arena)) {
            assertThat(region.sizeBytes()).isEqualTo(BYTES);
        }
    }

    private static Region create(RegionKind kind, String name, long bytes, Arena arena) {
        return kind.isNamed() ? Region.create(kind, name, bytes, arena) : Region.create(kind, bytes, arena);
    }

    /** Returns how many bytes of addresses this process has mapped; 0 where the system does not tell. */
    private static long addressesInUse() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith("VmSize:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .sum();
        }
    }

    @ParameterizedTest
    @EnumSource
    void keepsEveryTypeAtAnyOffset(RegionKind kind) {
        Region region = regions.create(kind, BYTES);
        for (int shift : new int[] {0, 1, 4096 - 21, BYTES - 30}) {
            region.putByte(shift, (byte) -2);
            region.putBoolean(shift + 1, true);
            region.putShort(shift + 2, Short.MIN_VALUE);
            region.putChar(shift + 4, '\uffee');
            region.putInt(shift + 6, -123_456_789);
            region.putLong(shift + 10, Long.MIN_VALUE + 5);
            region.putFloat(shift + 18, 1.5f);
            region.putDouble(shift + 22, -Math.PI);
            assertThat(region.getByte(shift)).isEqualTo((byte) -2);
            assertThat(region.getBoolean(shift + 1)).isTrue();
            assertThat(region.getShort(shift + 2)).isEqualTo(Short.MIN_VALUE);
            assertThat(region.getChar(shift + 4)).isEqualTo('\uffee');
            assertThat(region.getInt(shift + 6)).isEqualTo(-123_456_789);
            assertThat(region.getLong(shift + 10)).isEqualTo(Long.MIN_VALUE + 5);
            assertThat(region.getFloat(shift + 18)).isEqualTo(1.5f);
            assertThat(region.getDouble(shift + 22)).isEqualTo(-Math.PI);
        }
    }

    @ParameterizedTest
    @EnumSource
    void isLittleEndian(RegionKind kind) {
        Region region = regions.create(kind, BYTES);
        region.putInt(1, 0x01020304);
        region.putLong(5, 0x05060708090a0b0cL);
        byte[] bytes = new byte[12];
        region.get(1, bytes);
        assertThat(bytes).containsExactly(4, 3, 2, 1, 12, 11, 10, 9, 8, 7, 6, 5);
    }

    @ParameterizedTest
    @EnumSource
    void movesRunsOfBytes(RegionKind kind) {
        Region region = regions.create(kind, BYTES);
        byte[] bytes = random(4000);
        region.put(3, bytes);
        region.put(4003, MemorySegment.ofArray(bytes));
        ByteBuffer buffer = ByteBuffer.wrap(bytes).position(100).limit(1100);
        region.put(8003, buffer);
        assertThat(buffer.remaining()).isZero();
        byte[] back = new byte[4000];
        region.get(3, back);
        assertThat(back).isEqualTo(bytes);
        region.get(4003, MemorySegment.ofArray(back));
        assertThat(back).isEqualTo(bytes);
        ByteBuffer direct = ByteBuffer.allocateDirect(1000);
        region.get(8003, direct);
        assertThat(direct.flip()).isEqualTo(ByteBuffer.wrap(bytes, 100, 1000));
    }

    @ParameterizedTest
    @EnumSource
    void fillsAndCopies(RegionKind kind) {
        Region region = regions.create(kind, BYTES);
        Region other = regions.create(RegionKind.DIRECT, BYTES);
        byte[] bytes = random(1000);
        region.put(0, bytes);
        region.copyTo(0, other, 500, 1000);
        region.copyTo(0, region, 10, 1000); // onto itself
        byte[] back = new byte[1000];
        other.get(500, back);
        assertThat(back).isEqualTo(bytes);
        region.get(10, back);
        assertThat(back).isEqualTo(bytes);
        region.fill(10, 999, (byte) 7);
        region.get(10, back);
        assertThat(back[998]).isEqualTo((byte) 7);
        assertThat(back[999]).isEqualTo(bytes[999]);
    }

    @ParameterizedTest
    @EnumSource
    void refusesWhatIsOutside(RegionKind kind) {
        Region region = regions.create(kind, BYTES);
        for (long offset : new long[] {-1, BYTES - 3, BYTES, Long.MAX_VALUE, Long.MIN_VALUE}) {
            for (ThrowingCallable access : accessesOfFour(region, offset).values()) {
                assertThatThrownBy(access)
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessage(region + ": 4 bytes at " + offset + " are not within it");
            }
        }
        assertThat(region.toString()).endsWith("of 10000 bytes");
        assertThatThrownBy(() -> region.getByte(BYTES)).hasMessageContaining("1 bytes at 10000");
        assertThatThrownBy(() -> region.fill(10, -1, (byte) 0)).hasMessageContaining("-1 bytes at 10");
    }

    private static Map<String, ThrowingCallable> accessesOfFour(Region region, long offset) {
        Map<String, ThrowingCallable> accesses = new LinkedHashMap<>();
        accesses.put("getInt", () -> region.getInt(offset));
        accesses.put("putInt", () -> region.putInt(offset, 1));
        accesses.put("getFloat", () -> region.getFloat(offset));
        accesses.put("putFloat", () -> region.putFloat(offset, 1));
        accesses.put("get array", () -> region.get(offset, new byte[4]));
        accesses.put("put array", () -> region.put(offset, new byte[4]));
        accesses.put("get buffer", () -> region.get(offset, ByteBuffer.allocate(4)));
        accesses.put("put buffer", () -> region.put(offset, ByteBuffer.allocate(4)));
        accesses.put("fill", () -> region.fill(offset, 4, (byte) 1));
        accesses.put("copyTo", () -> region.copyTo(offset, region, 0, 4));
        accesses.put("force", () -> region.force(offset, 4));
        accesses.put("transferTo", () -> region.transferTo(offset, 4, new BytesChannel()));
        accesses.put("transferFrom", () -> region.transferFrom(offset, 4, new BytesChannel()));
        return accesses;
    }

    @ParameterizedTest
    @EnumSource
    void refusesEverythingAfterClosing(RegionKind kind) {
        Region region = regions.create(kind, BYTES);
        region.close();
        region.close();
        Map<String, ThrowingCallable> accesses = accessesOfFour(region, 0);
        accesses.put("getByte", () -> region.getByte(0));
        accesses.put("putByte", () -> region.putByte(0, (byte) 1));
        accesses.put("getBoolean", () -> region.getBoolean(0));
        accesses.put("putBoolean", () -> region.putBoolean(0, true));
        accesses.put("getShort", () -> region.getShort(0));
        accesses.put("putShort", () -> region.putShort(0, (short) 1));
        accesses.put("getChar", () -> region.getChar(0));
        accesses.put("putChar", () -> region.putChar(0, 'c'));
        accesses.put("getLong", () -> region.getLong(0));
        accesses.put("putLong", () -> region.putLong(0, 1));
        accesses.put("getDouble", () -> region.getDouble(0));
        accesses.put("putDouble", () -> region.putDouble(0, 1));
        accesses.put("nothing", () -> region.get(0, new byte[0]));
        accesses.put("segment", region::segment);
        accesses.put("delete", region::delete);
        accesses.forEach((name, access) -> assertThatThrownBy(access)
                .as(name)
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining(region.toString())
                .hasMessageContaining("it is closed"));
        assertThat(region.sizeBytes()).isEqualTo(BYTES);
    }

    /** One arena for many regions: a region closed by itself is refused at once, and all the bytes go together. */
    @ParameterizedTest
    @EnumSource
    void isGivenBackWithAnArena(RegionKind kind) {
        TestRegions.assume(kind);
        String name = kind.isNamed() ? regions.name(kind) : "";
        Region first;
        Region second;
        try (Arena arena = Arena.ofShared()) {
            first = kind.isNamed() ? Region.create(kind, name, BYTES, arena) : Region.create(kind, BYTES, arena);
            second = kind.isNamed() ? Region.attach(kind, name, arena) : Region.create(kind, BYTES, arena);
            second.putInt(0, 42);
            first.close();
            assertThatThrownBy(() -> first.getInt(0)).isInstanceOf(ClosedException.class);
            assertThat(second.getInt(0)).isEqualTo(42);
        }
        if (kind != RegionKind.HEAP) {
            assertThatThrownBy(() -> second.getInt(0))
                    .isInstanceOf(ClosedException.class)
                    .hasMessageContaining("it is closed");
            assertThatThrownBy(second::segment).isInstanceOf(ClosedException.class);
        }
        second.close();
    }

    @ParameterizedTest
    @EnumSource
    void refusesSizesWithTheLimit(RegionKind kind) {
        for (long bytes : new long[] {0, -1, kind.largestBytes() + 1}) {
            assertThatThrownBy(() -> create(kind, bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1 to " + kind.largestBytes() + " bytes, not " + bytes);
        }
    }

    private Region create(RegionKind kind, long bytes) {
        return kind.isNamed() ? Region.create(kind, regions.name(kind), bytes) : Region.create(kind, bytes);
    }

    /** A kind that the machine lacks is refused with the reason, and never tried. */
    @ParameterizedTest
    @EnumSource
    void saysWhyAKindIsNotThere(RegionKind kind) {
        kind.unavailable()
                .ifPresentOrElse(
                        reason -> assertThatThrownBy(() -> create(kind, BYTES))
                                .isInstanceOf(UnsupportedRegionException.class)
                                .hasMessage("no " + kind.words() + " here: " + reason),
                        () -> assertThatCode(() -> create(kind, BYTES).close()).doesNotThrowAnyException());
    }

    @Test
    void worksInPureJavaWithoutNativeCalls() {
        for (RegionKind kind : new RegionKind[] {RegionKind.HEAP, RegionKind.DIRECT, RegionKind.MAPPED_FILE}) {
            assertThat(kind.unavailable()).as(kind.toString()).isEmpty();
        }
        assertThat(RegionKind.POSIX.unavailable()).isEqualTo(RegionKind.SHARED_FILE.unavailable());
        for (RegionKind kind : new RegionKind[] {RegionKind.SYSTEM_V, RegionKind.APR, RegionKind.HUGE_PAGES}) {
            if (!SystemStorage.system().isNative()) {
                assertThat(kind.unavailable().orElseThrow()).contains("native calls");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.larder.memory.region.TestRegions#unnamed")
    void cannotBeFoundWithoutAName(RegionKind kind) {
        TestRegions.assume(kind);
        assertThatThrownBy(() -> Region.attach(kind, "x")).isInstanceOf(UnsupportedRegionException.class);
        assertThatThrownBy(() -> Region.delete(kind, "x")).isInstanceOf(UnsupportedRegionException.class);
        assertThatThrownBy(() -> Region.create(kind, "x", BYTES))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has no name: \"x\"");
        assertThat(regions.create(kind, BYTES).delete()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("dev.larder.memory.region.TestRegions#named")
    void cannotBeCreatedWithoutItsName(RegionKind kind) {
        TestRegions.assume(kind);
        assertThatThrownBy(() -> Region.create(kind, BYTES))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("create(" + kind + ", name, bytes)");
    }

    @Test
    void saysWhichHugePagesItGot() {
        assertThat(regions.create(RegionKind.HUGE_PAGES, 3 << 20).description())
                .matches("2 pages of 2097152 bytes, (reserved|transparent where the kernel finds room)");
        assertThat(regions.create(RegionKind.HEAP, 1).description()).isEmpty();
    }

    @Test
    void refusesNamesThatAreNoNames() {
        TestRegions.assume(RegionKind.POSIX);
        for (String name : new String[] {"", ".", "..", "a/b", "/a", "a\0", "a".repeat(251)}) {
            assertThatThrownBy(() -> Region.create(RegionKind.POSIX, name, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not \"" + name + "\"");
        }
    }

    @ParameterizedTest
    @EnumSource
    void goesThroughChannels(RegionKind kind) throws IOException {
        Region region = regions.create(kind, BYTES);
        byte[] bytes = random(BYTES);
        assertThat(region.transferFrom(0, BYTES, Channels.newChannel(new java.io.ByteArrayInputStream(bytes))))
                .isEqualTo(BYTES);
        BytesChannel channel = new BytesChannel();
        assertThat(region.transferTo(10, BYTES - 10, channel)).isEqualTo(BYTES - 10);
        assertThat(channel.bytes()).isEqualTo(java.util.Arrays.copyOfRange(bytes, 10, BYTES));
        assertThat(region.transferFrom(5, 100, channel.reversed())).isEqualTo(100);
        assertThat(region.getByte(5)).isEqualTo(bytes[BYTES - 1]);
        assertThat(region.transferFrom(0, 10, new BytesChannel())).isZero();
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    /** The JDK copies all heap bytes that it is given to memory outside of the heap, and keeps as much for each thread. */
    @ParameterizedTest
    @EnumSource
    void givesAChannelLittleAtATimeFromTheHeap(RegionKind kind) throws IOException {
        Region region = regions.create(kind, 3 << 20);
        LargestStep step = new LargestStep();
        assertThat(region.transferTo(0, 3 << 20, step)).isEqualTo(3 << 20);
        assertThat(step.largest).isLessThanOrEqualTo(kind == RegionKind.HEAP ? 1 << 20 : 3 << 20);
        step.largest = 0;
        assertThat(region.transferFrom(0, 3 << 20, step)).isEqualTo(3 << 20);
        assertThat(step.largest).isLessThanOrEqualTo(kind == RegionKind.HEAP ? 1 << 20 : 3 << 20);
    }

    /** Takes or gives as many bytes as the buffer has room for, and records the largest number. */
    private static final class LargestStep implements ByteChannel {

        private int largest;

        @Override
        public int write(ByteBuffer source) {
            return use(source);
        }

        @Override
        public int read(ByteBuffer target) {
            return use(target);
        }

        private int use(ByteBuffer buffer) {
            int count = buffer.remaining();
            largest = Math.max(largest, count);
            buffer.position(buffer.limit());
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
