package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The commands that read a map, where its files cannot be written: on a mount that is read-only. */
class ReadOnlyMapTest extends MapShell {

    @Test
    void readsWhereItMayNotWrite() throws IOException {
        create();
        assertThat(larder("map", "put", map, "flour", "12")).isZero();
        assertThat(larder("map", "put", map, "milk", "2")).isZero();
        try (ReadOnlyMount _ = ReadOnlyMount.of(map)) {
            readsAlone();
        }
    }

    private void readsAlone() {
        assertThat(larder("map", "get", map, "flour")).isZero();
        assertThat(out()).isEqualTo("12\n");
        assertThat(larder("map", "get", map, "salt")).isEqualTo(ExitCode.INVALID);
        assertThat(larder("map", "scan", map)).isZero();
        assertThat(sortedLines()).containsExactly("flour\t12", "milk\t2");
        assertThat(larder("map", "export", map)).isZero();
        assertThat(out()).contains("milk");
        assertThat(larder("map", "info", map)).isZero();
        assertThat(larder("map", "put", map, "flour", "13")).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("ead-only file system");
    }
}
