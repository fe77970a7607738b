package dev.larder.cli.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Counters that a JVM shows, and files that others put in their place. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class PerformanceDataTest {

    private static final long PID = 4711;
    private static final int ENTRY_BYTES = 64;
    private static final int NAME_AT = 20;
    private static final int VALUE_AT = 56;

    @TempDir
    Path directory;

    private Path process = Path.of("");
    private Path file = Path.of("");

    @BeforeEach
    void makeFolders() throws IOException {
        process = Files.createDirectory(directory.resolve("process"));
        file = Files.createDirectory(directory.resolve("hsperfdata_user")).resolve(Long.toString(PID));
    }

    private boolean isRead() {
        return PerformanceData.pausedSeconds(directory, PID, process).isPresent();
    }

    private static byte[] counters() {
        ByteBuffer file = ByteBuffer.allocate(32 + 2 * ENTRY_BYTES).order(ByteOrder.BIG_ENDIAN);
        file.putInt(0, 0xcafec0c0).put(4, (byte) 1).order(ByteOrder.LITTLE_ENDIAN);
        file.putInt(24, 32).putInt(28, 2);
        entry(file, 32, "sun.rt.safepointTime", 500);
        entry(file, 32 + ENTRY_BYTES, "sun.os.hrt.frequency", 1000);
        return file.array();
    }

    private static void entry(ByteBuffer file, int at, String name, long value) {
        file.putInt(at, ENTRY_BYTES).putInt(at + 4, NAME_AT).put(at + 12, (byte) 'J');
        file.putInt(at + 16, VALUE_AT).putLong(at + VALUE_AT, value);
        file.put(at + NAME_AT, name.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void readsTheFileOfTheProcess() throws IOException {
        Files.write(file, counters());
        assertThat(PerformanceData.pausedSeconds(directory, PID, process)).hasValue(0.5);
    }

    /** Whoever opens a pipe waits until somebody writes into it. */
    @Test
    void doesNotOpenAPipe() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        assertThat(isRead()).isFalse();
    }

    @Test
    void followsNoLink() throws IOException {
        Path target = Files.write(directory.resolve("target"), counters());
        Files.createSymbolicLink(file, target);
        assertThat(isRead()).isFalse();
    }

    @Test
    void takesNoFileOfAnotherUser() throws Exception {
        Files.write(file, counters());
        assumeThat(Files.getAttribute(file, "unix:uid"))
                .as("only root gives files away")
                .isEqualTo(0);
        Files.setAttribute(file, "unix:uid", 65_534);
        assertThat(isRead()).isFalse();
        Files.setAttribute(process, "unix:uid", 65_534);
        assertThat(isRead()).as("the folder is still root's").isFalse();
        Files.setAttribute(file.resolveSibling(""), "unix:uid", 65_534);
        assertThat(isRead()).isTrue();
    }

    @Test
    void endsAtAnEntryThatIsNone() throws IOException {
        byte[] bytes = counters();
        ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(28, Integer.MAX_VALUE)
                .putInt(32, 0);
        Files.write(file, bytes);
        assertThat(isRead()).isFalse();
    }
}
