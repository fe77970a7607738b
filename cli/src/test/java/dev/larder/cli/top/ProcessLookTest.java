package dev.larder.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a process's files in {@code /proc} tell. */
class ProcessLookTest {

    /** Another process may have mapped a file whose name is not a path here, as one with a zero. */
    @Test
    void looksOnlyForTheLogs() {
        Path log = Path.of("/data/a b");
        Stream<String> lines = Stream.of(
                "7f00-7f01 rw-s 00000000 fe:00 131 /data/other/log.ctl",
                "7f01-7f02 rw-s 00000000 fe:00 132 /data/\0/log.ctl",
                "7f02-7f03 rw-s 00000000 fe:00 133 /data/a b/log.ctl",
                "7f03-7f04 rw-s 00000000 fe:00 134 /data/a b/0000000001.seg");
        assertThat(ProcessLook.mapped(lines, Set.of(log))).containsExactly(log);
    }

    /** The size of a page differs between machines. */
    @Test
    void takesSizesFromTheStatus() {
        List<String> status = List.of("Name:\tjava", "VmPeak:\t  300 kB", "VmSize:\t  200 kB", "VmRSS:\t   100 kB");
        assertThat(ProcessLook.bytes(status, "VmSize:")).isEqualTo(200 << 10);
        assertThat(ProcessLook.bytes(status, "VmRSS:")).isEqualTo(100 << 10);
        assertThat(ProcessLook.bytes(List.of(), "VmRSS:")).isZero();
    }
}
