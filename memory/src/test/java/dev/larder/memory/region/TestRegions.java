package dev.larder.memory.region;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Regions of a test, with unique names; closed and deleted at its end. */
public final class TestRegions implements AutoCloseable {

    private static final AtomicLong NUMBER = new AtomicLong();

    /** A name that was given out. */
    private record Given(RegionKind kind, String name) {}

    private final Path directory;
    private final List<Given> names = new ArrayList<>();
    private final List<Region> regions = new ArrayList<>();

    public TestRegions(Path directory) {
        this.directory = directory;
    }

    static Stream<RegionKind> named() {
        return Arrays.stream(RegionKind.values()).filter(RegionKind::isNamed);
    }

    static Stream<RegionKind> unnamed() {
        return Arrays.stream(RegionKind.values()).filter(kind -> !kind.isNamed());
    }

    /** Ends the test, with the reason, where this machine or this JVM has none of the kind. */
    public static void assume(RegionKind kind) {
        assumeTrue(
                kind.unavailable().isEmpty(),
                () -> kind + ": " + kind.unavailable().orElse(""));
    }

    public String name(RegionKind kind) {
        String unique = "larder-test-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
        boolean path = kind == RegionKind.MAPPED_FILE || kind == RegionKind.APR;
        String name = path ? directory.resolve(unique).toString() : unique;
        names.add(new Given(kind, name));
        return name;
    }

    public Region create(RegionKind kind, long bytes) {
        assume(kind);
        return keep(kind.isNamed() ? Region.create(kind, name(kind), bytes) : Region.create(kind, bytes));
    }

    Region attach(Region region) {
        return keep(Region.attach(region.kind(), region.name()));
    }

    private Region keep(Region region) {
        regions.add(region);
        return region;
    }

    @Override
    public void close() {
        regions.forEach(Region::close);
        names.stream()
                .filter(given -> given.kind().unavailable().isEmpty())
                .forEach(given -> Region.delete(given.kind(), given.name()));
    }
}
