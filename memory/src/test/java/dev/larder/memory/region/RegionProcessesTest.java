package dev.larder.memory.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.memory.ChildJvm;
import dev.larder.memory.Storage;
import dev.larder.memory.TestMachine;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Regions between two processes, each with or without native calls. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
final class RegionProcessesTest {

    static final long BYTES = 40_000;
    static final long FACTOR = 0x9e3779b97f4a7c15L;
    static final long ANSWER = 4711;

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

    /** Every named kind, with a child that makes native calls and one that makes none, where both can have the kind. */
    static Stream<Arguments> pairs() {
        return TestRegions.named()
                .flatMap(kind -> TestMachine.storages()
                        .map(Storage::isNative)
                        .filter(isNative -> isNative || worksWithoutNativeCalls(kind))
                        .map(isNative -> Arguments.of(kind, isNative)));
    }

    private static boolean worksWithoutNativeCalls(RegionKind kind) {
        return kind == RegionKind.MAPPED_FILE || kind == RegionKind.SHARED_FILE || kind == RegionKind.POSIX;
    }

    /** Returns how many words differ from those that {@link RegionChild} wrote. */
    static long wrong(Region region) {
        long wrong = 0;
        for (long offset = 0; offset < region.sizeBytes(); offset += Long.BYTES) {
            wrong += region.getLong(offset) == offset * FACTOR ? 0 : 1;
        }
        return wrong;
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void anotherProcessFindsWhatWasLeftBehind(RegionKind kind, boolean isNative) throws InterruptedException {
        Region region = regions.create(kind, BYTES);
        for (long offset = 0; offset < BYTES; offset += Long.BYTES) {
            region.putLong(offset, offset * FACTOR);
        }
        region.close();
        try (ChildJvm child = ChildJvm.startRegions(isNative, "attach", kind, region.name())) {
            assertThat(child.line("wrong")).isEqualTo("wrong: 0 of " + BYTES);
            assertThat(child.rest()).isEmpty();
        }
        assertThat(regions.attach(region).getLong(0)).isEqualTo(ANSWER);
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void outlivesItsMaker(RegionKind kind, boolean isNative) throws InterruptedException {
        TestRegions.assume(kind);
        String name = regions.name(kind);
        try (ChildJvm child = ChildJvm.startRegions(isNative, "create", kind, name)) {
            assertThat(child.line("created")).isEqualTo("created " + BYTES);
            child.kill();
        }
        try (Region region = Region.attach(kind, name)) {
            assertThat(region.sizeBytes()).isEqualTo(BYTES);
            assertThat(wrong(region)).isZero();
            assertThat(region.delete()).isTrue();
        }
    }
}
