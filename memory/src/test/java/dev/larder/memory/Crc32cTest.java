package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.portable.PortableStorage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

@Tag("any-storage")
final class Crc32cTest {

    private final Random random = new Random(42);

    @Test
    void knowsTheCheckOfTheStandard() {
        MemorySegment digits = MemorySegment.ofArray("123456789".getBytes(StandardCharsets.US_ASCII));
        assertThat(Crc32c.of(digits, 0, 9)).isEqualTo(0xE3069283);
        assertThat(Crc32c.of(digits, 4, 0)).isZero();
    }

    @Test
    void agreesWithTheJdkOnAnyRange() {
        byte[] bytes = new byte[10_000];
        random.nextBytes(bytes);
        MemorySegment memory = MemorySegment.ofArray(bytes);
        Crc32c crc = new Crc32c();
        for (int i = 0; i < 1000; i++) {
            int offset = random.nextInt(bytes.length);
            int length = random.nextInt(bytes.length - offset + 1);
            assertThat(crc.over(memory, offset, length)).isEqualTo(expected(bytes, offset, length));
        }
    }

    @Test
    void addsPieces() {
        byte[] bytes = new byte[100];
        random.nextBytes(bytes);
        Arrays.fill(bytes, 60, 64, (byte) 0);
        MemorySegment memory = MemorySegment.ofArray(bytes);
        Crc32c crc = new Crc32c();
        crc.start();
        crc.add(memory, 0, 60);
        crc.addZeros(4);
        crc.add(memory, 64, 36);
        assertThat(crc.value()).isEqualTo(expected(bytes, 0, 100));
    }

    @Test
    void reachesAllOfALargeFile(@TempDir Path directory) {
        long size = 3L << 30;
        try (StorageFile file = PortableStorage.INSTANCE
                        .create(directory.resolve("sparse"), Access.OWNER)
                        .orElseThrow();
                Arena arena = Arena.ofShared()) {
            file.allocate(size, Allocation.GROW);
            MemorySegment mapped = file.map(0, size, true, arena);
            Crc32c crc = new Crc32c();
            byte[] bytes = new byte[8192];
            for (long border : new long[] {1L << 30, 2L << 30}) {
                random.nextBytes(bytes);
                MemorySegment.copy(bytes, 0, mapped, ValueLayout.JAVA_BYTE, border - 5000, bytes.length);
                assertThat(crc.over(mapped, border - 5000, bytes.length)).isEqualTo(expected(bytes, 0, bytes.length));
            }
            assertThat(crc.over(mapped, size - 1, 1)).isEqualTo(expected(new byte[1], 0, 1));
        }
    }

    /** The JDK's own CRC over such a page ends the JVM. */
    @Test
    void saysThatAPageCannotBeServed(@TempDir Path directory) throws IOException {
        Path path = directory.resolve("cut");
        try (FileChannel file = FileChannel.open(
                        path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                Arena arena = Arena.ofShared()) {
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, 1 << 20, arena);
            Crc32c crc = new Crc32c();
            assertThat(crc.over(mapped, 0, 1 << 20)).isEqualTo(expected(new byte[1 << 20], 0, 1 << 20));
            file.truncate(1);
            assertThatThrownBy(() -> {
                        crc.over(mapped, 0, 1 << 20);
                        AccessErrors.deliver();
                    })
                    .isInstanceOf(InternalError.class);
        }
    }

    @Test
    void refusesWhatLiesOutside() {
        MemorySegment memory = MemorySegment.ofArray(new byte[10]);
        assertThatThrownBy(() -> Crc32c.of(memory, 8, 3))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("3 bytes at 8 of a segment of 10 bytes");
        assertThatThrownBy(() -> Crc32c.of(memory, -1, 3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> Crc32c.of(memory, 1, Long.MAX_VALUE)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    /**
     * A million checks in a heap of 8 MiB that is never collected: an object for each would be too much. The JVM only
     * interprets, because the compiler removes many objects, and would hide them here.
     */
    @Test
    @Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
    void allocatesNothing(@TempDir Path directory) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:+UseEpsilonGC",
                "-Xint",
                "-Xms8m",
                "-Xmx8m",
                "-cp",
                ChildJvm.classes(Storage.class)
                        + System.getProperty("path.separator")
                        + ChildJvm.classes(StorageChild.class),
                StorageChild.class.getName(),
                "portable",
                "check",
                directory.toString()));
        try (ChildJvm child = ChildJvm.start(command)) {
            assertThat(child.rest()).contains("checks done");
        }
    }

    private static int expected(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }
}
