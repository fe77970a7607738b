package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.codec.Codec;
import dev.larder.codec.ValueCodec;
import dev.larder.map.LarderMap;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;

/** A shell with two maps in its directory, which the commands create. */
abstract class MapShell extends Shell {

    /** A value that a program keeps in such a map. */
    record Trade(String symbol, double price) {}

    String map = "";
    String other = "";

    @BeforeEach
    final void nameTheMaps() {
        map = directory.resolve("map").toString();
        other = directory.resolve("other").toString();
    }

    final int larder(String... arguments) {
        return larder(new byte[0], arguments);
    }

    final void create() {
        assertThat(larder("map", "create", map)).isZero();
    }

    /** Creates a map of plain bytes, which takes every form. */
    final void createBytes() {
        assertThat(larder("map", "create", map, "--keys", "bytes", "--values", "bytes"))
                .isZero();
    }

    /** Puts the entries "key i", "value i" for each i below a number. */
    final void fill(int entries) {
        String lines = IntStream.range(0, entries)
                .mapToObj(i -> "{\"key\":{\"text\":\"key " + i + "\"},\"value\":{\"text\":\"value " + i + "\"}}\n")
                .collect(Collectors.joining());
        assertThat(larder(typed(lines), "map", "import", map)).isZero();
    }

    /** Returns the lines that the command has printed, sorted, because entries come in no order. */
    final List<String> sortedLines() {
        return out().lines().sorted().toList();
    }

    /** Opens a map, as a program does that keeps trades by number. */
    static LarderMap<Long, Trade> trades(String directory) {
        return LarderMap.open(
                Path.of(directory), ValueCodec.longs(), Codec.records(Trade.class, MethodHandles.lookup()));
    }
}
