package dev.larder.tests.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.crash.ChildProcess;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process without a recording does not pay for one: its classes take half a second of a busy machine to load. */
@Tag(Effort.LONG)
final class FlightRecorderTest {

    private static final long SECONDS = 120;

    /** So many that the log rolls to further segments, and the index grows. */
    private static final long ENTRIES = 600_000;

    /** Registers the classes of events. */
    private static final String RECORDER = "jdk.jfr.internal.MetadataRepository";

    @TempDir
    Path place;

    private String loadedClasses(String... flags) throws IOException {
        Path loaded = place.resolve("loaded");
        List<String> all = new ArrayList<>(List.of("-Xlog:disable", "-Xlog:class+load:file=" + loaded));
        all.addAll(List.of(flags));
        String map = place.resolve("map").toString();
        try (ChildProcess child = ChildProcess.start(
                MapNeighbour.class, place.resolve("neighbour.err"), List.of(), all, map, Long.toString(ENTRIES))) {
            child.expect("PUT", SECONDS);
        }
        return Files.readString(loaded);
    }

    @Test
    void isLeftAloneWhereNobodyRecords() throws IOException {
        assertThat(loadedClasses())
                .contains("dev.larder.log.FlightEvents", "dev.larder.map.index.Rebuild")
                .doesNotContain(RECORDER);
    }

    @Test
    void isToldWhereSomebodyDoes() throws IOException {
        String recording = place.resolve("all.jfr").toString();
        assertThat(loadedClasses("-XX:StartFlightRecording:filename=" + recording))
                .contains(RECORDER, "dev.larder.log.segment.RollEvent", "dev.larder.map.index.RebuildEvent");
    }
}
