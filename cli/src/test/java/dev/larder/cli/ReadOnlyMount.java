package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A folder that is mounted over itself, so that no user can write there, until it is closed. Needs root. */
final class ReadOnlyMount implements AutoCloseable {

    private final String folder;

    private ReadOnlyMount(String folder) {
        this.folder = folder;
    }

    /** Mounts the folder, or skips the test. */
    static ReadOnlyMount of(String folder) throws IOException {
        assumeTrue(
                Stream.of("/bin/mount", "/usr/bin/mount").map(Path::of).anyMatch(Files::exists), "there is no mount");
        assumeTrue(run("mount", "--bind", folder, folder), "this user may not mount");
        ReadOnlyMount mount = new ReadOnlyMount(folder);
        boolean isReadOnly = run("mount", "-o", "remount,bind,ro", folder);
        if (!isReadOnly) {
            mount.close();
        }
        assumeTrue(isReadOnly, "this kernel has no read-only bind mount");
        return mount;
    }

    private static boolean run(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.onExit().join().exitValue() == 0;
    }

    @Override
    public void close() throws IOException {
        assertThat(run("umount", folder)).isTrue();
    }
}
