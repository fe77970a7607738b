package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The commands that read a map, where its files cannot be written: on a mount that is read-only. */
class ReadOnlyMapTest extends MapShell {

    private boolean mounted;

    private static boolean run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor() == 0;
    }

    private void mountReadOnly() throws IOException, InterruptedException {
        assumeTrue(
                Stream.of("/bin/mount", "/usr/bin/mount").map(Path::of).anyMatch(Files::exists), "there is no mount");
        mounted = run("mount", "--bind", map, map);
        assumeTrue(mounted, "this user may not mount");
        assumeTrue(run("mount", "-o", "remount,bind,ro", map), "this kernel has no read-only bind mount");
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        assertThat(!mounted || run("umount", map)).isTrue();
    }

    @Test
    void readsWhereItMayNotWrite() throws IOException, InterruptedException {
        create();
        assertThat(larder("map", "put", map, "flour", "12")).isZero();
        assertThat(larder("map", "put", map, "milk", "2")).isZero();
        mountReadOnly();
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
