package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The memory nodes of a machine, from folders as Linux has them. */
final class MemoryNodesTest {

    @TempDir
    Path shown;

    private static BitSet set(int... numbers) {
        BitSet set = new BitSet();
        IntStream.of(numbers).forEach(set::set);
        return set;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0|{0}", "0-1|{0, 1}", "0,2-3|{0, 2, 3}", "1,3|{1, 3}"})
    void readsWhichHaveMemory(String list, String expected) throws IOException {
        for (int node = 0; node < 4; node++) {
            Files.createDirectory(shown.resolve("node" + node)); // a node that has only processors has a folder too
        }
        Files.writeString(shown.resolve("has_memory"), list + "\n");
        assertThat(MemoryNodes.withMemory(shown)).hasToString(expected);
    }

    @Test
    void goesByTheFoldersWhereTheKernelDoesNotSay() throws IOException {
        for (String name : new String[] {"node0", "node11", "power", "nodes"}) {
            Files.createDirectory(shown.resolve(name));
        }
        assertThat(MemoryNodes.withMemory(shown)).isEqualTo(set(0, 11));
    }

    @ParameterizedTest
    @CsvSource({"''", "all", "1-", "5-2"})
    void takesOneNodeWhereItCannotTell(String nonsense) throws IOException {
        Files.writeString(shown.resolve("has_memory"), nonsense);
        assertThat(MemoryNodes.withMemory(shown)).isEqualTo(set(0));
        assertThat(MemoryNodes.withMemory(shown.resolve("missing"))).isEqualTo(set(0));
    }

    @Test
    void findsANodeHere() {
        assertThat(MemoryNodes.withMemory().cardinality()).isPositive();
    }
}
