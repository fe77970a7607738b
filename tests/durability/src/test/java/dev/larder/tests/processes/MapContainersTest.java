package dev.larder.tests.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.map.LarderMap;
import dev.larder.map.MapInUseException;
import dev.larder.memory.SystemStorage;
import dev.larder.tests.crash.ChildProcess;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A map in a container, whose memory file system is small as a rule, and never shared with other containers. */
@Tag(Effort.LONG)
class MapContainersTest {

    private static final long SECONDS = 120;
    private static final long ENTRIES = 100_000;

    @TempDir
    Path place;

    private Path directory;

    @BeforeEach
    void needContainers() throws IOException {
        assumeTrue(SystemStorage.system().isNative(), "without native calls locks do not reach into a container");
        assumeTrue("root".equals(System.getProperty("user.name")), "needs root");
        ProcessesTest.assumeWorks("unshare", "-m", "-p", "--fork", "true");
        directory = Files.createDirectories(place.resolve("map"));
    }

    private ChildProcess neighbour(String sharedMemory) {
        List<String> container =
                ProcessesTest.inContainer("mount -t tmpfs -o size=" + sharedMemory + " tmpfs /dev/shm");
        return ChildProcess.start(
                MapNeighbour.class,
                place.resolve("neighbour.err"),
                container,
                directory.toString(),
                Long.toString(ENTRIES));
    }

    private List<String> indexesInTheFolder() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("map-") && name.endsWith(".index"))
                    .toList();
        }
    }

    /**
     * 64 MiB is what containers have by default: the index lies in the map's folder, and all processes that see the folder
     * share it.
     */
    @Test
    void smallSharedMemoryIsLeftAloneAndTheIndexLiesInTheFolder() throws IOException {
        try (ChildProcess inside = neighbour("64m")) {
            inside.expect("PUT", SECONDS);
            assertThat(indexesInTheFolder()).hasSize(1);
            try (LarderMap<Long, Long> outside = MapNeighbour.open(directory)) {
                assertThat(outside.longSize()).isEqualTo(ENTRIES);
                assertThat(outside.get(ENTRIES - 1)).isEqualTo(MapNeighbour.value(ENTRIES - 1));
                outside.put(ENTRIES, 7L);
                inside.say(Long.toString(ENTRIES));
                inside.expect("7", SECONDS);
            }
            inside.endOfInput();
            inside.expect("CLOSED", SECONDS);
        }
        assertThat(indexesInTheFolder()).isEmpty();
    }

    /** An index in memory that only the container sees cannot be shared: the other process gets an error, and nothing is lost. */
    @Test
    void memoryThatNobodyElseSeesIsNamed() throws IOException {
        try (ChildProcess inside = neighbour("2g")) {
            inside.expect("PUT", SECONDS);
            assertThat(indexesInTheFolder()).isEmpty();
            assertThatThrownBy(() -> MapNeighbour.open(directory))
                    .isInstanceOf(MapInUseException.class)
                    .hasMessageContaining(directory.toString())
                    .hasMessageContaining("/dev/shm/larder-map-");
            inside.say("5");
            inside.expect(Long.toString(MapNeighbour.value(5)), SECONDS);
            inside.endOfInput();
            inside.expect("CLOSED", SECONDS);
        }
        try (LarderMap<Long, Long> later = MapNeighbour.open(directory)) {
            assertThat(later.longSize()).isEqualTo(ENTRIES);
        }
    }
}
