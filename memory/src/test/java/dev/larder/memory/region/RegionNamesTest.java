package dev.larder.memory.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.memory.StorageException;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Names of regions: other processes find a region by its name, and it stays until it is deleted. */
final class RegionNamesTest {

    private static final int BYTES = 10_000;
    private static final long LARGE_BYTES = 48 << 20;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    @TempDir
    Path directory;

    private final Set<String> mapped = new HashSet<>();
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
    @MethodSource("dev.larder.memory.region.TestRegions#named")
    void whoAttachesSharesTheBytes(RegionKind kind) {
        Region region = regions.create(kind, BYTES);
        Region other = regions.attach(region);
        region.putLong(BYTES - 8, 42);
        assertThat(other.getLong(BYTES - 8)).isEqualTo(42);
        other.putLong(0, 43);
        assertThat(region.getLong(0)).isEqualTo(43);
        assertThat(other.sizeBytes()).isEqualTo(BYTES);
        assertThat(other.name()).isEqualTo(region.name());
    }

    @ParameterizedTest
    @MethodSource("dev.larder.memory.region.TestRegions#named")
    void staysWhenItIsClosed(RegionKind kind) {
        Region region = regions.create(kind, BYTES);
        region.putInt(77, 42);
        region.close();
        assertThat(regions.attach(region).getInt(77)).isEqualTo(42);
    }

    @ParameterizedTest
    @MethodSource("dev.larder.memory.region.TestRegions#named")
    void aDeletedNameIsGoneAndTheBytesStay(RegionKind kind) {
        Region region = regions.create(kind, BYTES);
        Region other = regions.attach(region);
        assertThat(region.delete()).isTrue();
        assertThat(region.delete()).isFalse();
        assertThat(Region.delete(kind, region.name())).isFalse();
        assertThatThrownBy(() -> regions.attach(region))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining(region.name())
                .hasMessageContaining("cannot attach: it does not exist");
        region.putInt(0, 42);
        region.close();
        assertThat(other.getInt(0)).isEqualTo(42);
    }

    @ParameterizedTest
    @MethodSource("dev.larder.memory.region.TestRegions#named")
    void whoOnlyAttachedMayDeleteToo(RegionKind kind) {
        Region region = regions.create(kind, BYTES);
        Region other = regions.attach(region);
        assertThat(other.delete()).isTrue();
        other.close();
        region.putInt(0, 42);
        assertThat(region.getInt(0)).isEqualTo(42);
        assertThatThrownBy(() -> regions.attach(region)).hasMessageContaining("it does not exist");
    }

    /** Closing a deleted region must not take the region that has the name now. */
    @ParameterizedTest
    @MethodSource("dev.larder.memory.region.TestRegions#named")
    void aNameCanBeTakenAgainWhileTheOldBytesAreInUse(RegionKind kind) {
        Region old = regions.create(kind, BYTES);
        old.putInt(0, 1);
        old.delete();
        try (Region next = Region.create(kind, old.name(), 2 * BYTES)) {
            next.putInt(0, 2);
            assertThat(old.getInt(0)).isEqualTo(1);
            old.close();
            try (Region found = Region.attach(kind, old.name())) {
                assertThat(found.getInt(0)).isEqualTo(2);
                assertThat(found.sizeBytes()).isEqualTo(2 * BYTES);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.larder.memory.region.TestRegions#named")
    void isNotCreatedTwice(RegionKind kind) {
        Region region = regions.create(kind, BYTES);
        region.putInt(0, 42);
        assertThatThrownBy(() -> Region.create(kind, region.name(), BYTES))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining(region.name())
                .hasMessageContaining("cannot create: it exists");
        assertThat(regions.attach(region).getInt(0)).isEqualTo(42);
    }

    /** Without native calls a file gets its space bit by bit. */
    @ParameterizedTest
    @EnumSource(names = {"MAPPED_FILE", "SHARED_FILE", "POSIX"})
    void isFoundWithItsFullSizeOrNotAtAll(RegionKind kind) throws Exception {
        TestRegions.assume(kind);
        String name = regions.name(kind);
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            Future<Long> found = thread.submit(() -> sizeOnceItIsThere(kind, name));
            Region.create(kind, name, LARGE_BYTES).close();
            assertThat(found.get()).isEqualTo(LARGE_BYTES);
        }
    }

    private static long sizeOnceItIsThere(RegionKind kind, String name) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try (Region region = Region.attach(kind, name)) {
                return region.sizeBytes();
            } catch (StorageException e) {
                assertThat(System.nanoTime() - end).as("it is about to come").isNegative();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.larder.memory.region.TestRegions#named")
    void isReadableByItsOwnerAlone(RegionKind kind) throws IOException {
        TestRegions.assume(kind);
        assumeTrue(SystemStorage.isLinux(), "what the system keeps is looked at on Linux only");
        Set<String> before = kept();
        regions.create(kind, BYTES);
        noteMapped();
        assertThat(newSince(before)).hasSize(1).allMatch(line -> line.endsWith(" rw-------"));
    }

    @ParameterizedTest
    @MethodSource("dev.larder.memory.region.TestRegions#named")
    void nothingStaysOfWhatWasDeleted(RegionKind kind) throws IOException {
        TestRegions.assume(kind);
        assumeTrue(SystemStorage.isLinux(), "what the system keeps is looked at on Linux only");
        Set<String> before = kept();
        Region region = regions.create(kind, BYTES);
        Region other = regions.attach(region);
        noteMapped();
        region.delete();
        region.close();
        other.close();
        assertThat(newSince(before)).isEmpty();
        assertThat(Files.readString(Path.of("/proc/self/maps")))
                .doesNotContain("larder-test")
                .doesNotContain("ShM");
    }

    /** Records the shared memory that this process has mapped: APR chooses names of its own. */
    private void noteMapped() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            int path = line.indexOf("/dev/shm/");
            if (path >= 0) {
                mapped.add(line.substring(path));
            }
        }
    }

    private boolean isOwn(Path path) {
        String own = "larder-test-" + ProcessHandle.current().pid() + "-";
        return path.toString().contains(own) || mapped.contains(path.toString());
    }

    private Set<String> newSince(Set<String> before) throws IOException {
        Set<String> now = kept();
        now.removeAll(before);
        return now;
    }

    /** Returns this process's regions that the system keeps, with their permissions. Other processes make regions meanwhile. */
    private Set<String> kept() throws IOException {
        String pid = Long.toString(ProcessHandle.current().pid());
        Set<String> kept = new HashSet<>();
        for (Path folder : List.of(directory, Path.of("/dev/shm"))) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.filter(this::isOwn).toList()) {
                    kept.add(file + " " + PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
                }
            }
        }
        for (String line : Files.readAllLines(Path.of("/proc/sysvipc/shm"))) {
            String[] fields = line.strip().split("\\s+", -1); // key, number, permissions, size, creator ...
            if (fields[4].equals(pid)) {
                kept.add("segment " + fields[1] + " " + (fields[2].equals("600") ? "rw-------" : fields[2]));
            }
        }
        return kept;
    }

    @Test
    void posixNamesAreFilesInDevShm() {
        Region posix = regions.create(RegionKind.POSIX, BYTES);
        posix.putInt(0, 42);
        try (Region file = Region.attach(RegionKind.SHARED_FILE, posix.name())) {
            assertThat(file.getInt(0)).isEqualTo(42);
        }
        Region file = regions.create(RegionKind.SHARED_FILE, BYTES);
        file.putInt(0, 43);
        try (Region attached = Region.attach(RegionKind.POSIX, file.name())) {
            assertThat(attached.getInt(0)).isEqualTo(43);
        }
        assertThat(Region.delete(RegionKind.POSIX, file.name())).isTrue();
    }

    @Test
    void aSystemVNameMayBeTheKeyItself() {
        TestRegions.assume(RegionKind.SYSTEM_V);
        assertThat(SystemVMemory.key("0x4c415244")).isEqualTo(0x4c415244);
        assertThat(SystemVMemory.key("123456789")).isEqualTo(0xe3069283); // the check value of CRC-32C
        Region region = regions.create(RegionKind.SYSTEM_V, BYTES);
        region.putInt(0, 42);
        String key = String.format(Locale.ROOT, "0x%08x", SystemVMemory.key(region.name()));
        try (Region same = Region.attach(RegionKind.SYSTEM_V, key)) {
            assertThat(same.getInt(0)).isEqualTo(42);
        }
        assertThatThrownBy(() -> Region.attach(RegionKind.SYSTEM_V, "0x00000000"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** A petabyte is within the limit of a mapping, and beyond the limit of this machine. */
    @Test
    void aSystemVSegmentThatIsTooLargeNamesTheMachinesLimits() {
        TestRegions.assume(RegionKind.SYSTEM_V);
        String name = regions.name(RegionKind.SYSTEM_V);
        long bytes = RegionKind.SYSTEM_V.largestBytes();
        assertThatThrownBy(() -> Region.create(RegionKind.SYSTEM_V, name, bytes).close())
                .isInstanceOf(StorageException.class)
                .hasMessageContaining(name)
                .hasMessageContaining("cannot create " + bytes + " bytes");
    }
}
