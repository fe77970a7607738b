package dev.larder.memory.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.memory.BytesChannel;
import dev.larder.memory.ClosedException;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.FileSync;
import dev.larder.memory.StorageException;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.TestMachine;
import dev.larder.memory.TruncatedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MappedFileTest {

    private static final int PAGE = 4096;

    @TempDir
    Path directory;

    private Path path() {
        return directory.resolve("file");
    }

    @ParameterizedTest
    @EnumSource
    void mapsItsPartsInEveryMode(FileSync sync) throws IOException {
        try (MappedFile file = MappedFile.create(path(), 4 * PAGE + 5, sync);
                Region whole = file.map();
                Region part = file.map(PAGE, PAGE + 5)) {
            part.putInt(1, 42);
            assertThat(whole.getInt(PAGE + 1)).isEqualTo(42);
            assertThat(whole.sizeBytes()).isEqualTo(4 * PAGE + 5);
            assertThat(part.sizeBytes()).isEqualTo(PAGE + 5);
            assertThat(file.sync()).isEqualTo(sync);
            part.force();
        }
        assertThat(Files.size(path())).isEqualTo(4 * PAGE + 5);
        assertThat(Files.readAllBytes(path())[PAGE + 1]).isEqualTo((byte) 42);
        assertThat(List.of(FileSync.values())).extracting(FileSync::mode).containsExactly("rw", "rwd", "rws");
    }

    @Test
    void refusesPartsThatAreNotWithinIt() {
        try (MappedFile file = MappedFile.create(path(), 4 * PAGE, FileSync.NONE)) {
            assertThatThrownBy(() -> file.map(1, 10))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("multiples of 4096, not at 1");
            assertThatThrownBy(() -> file.map(PAGE, 4 * PAGE))
                    .isInstanceOf(TruncatedException.class)
                    .hasMessageContaining("the file is 16384 bytes long");
            assertThatThrownBy(() -> file.map(0, 0)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void refusesWhatIsNoFileOfBytes() throws IOException {
        Files.createFile(path());
        assertThatThrownBy(() -> MappedFile.open(path(), FileSync.NONE))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("the file is empty");
        assertThatThrownBy(() -> MappedFile.open(directory, FileSync.NONE)).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> MappedFile.open(directory.resolve("none"), FileSync.ALL))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("it does not exist");
        assertThatThrownBy(() -> MappedFile.create(path(), 1, FileSync.NONE)).hasMessageContaining("it exists");
        Path link = Files.createSymbolicLink(directory.resolve("link"), path());
        Files.write(path(), new byte[100]);
        assertThatThrownBy(() -> MappedFile.open(link, FileSync.NONE))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("symbolic link");
    }

    @Test
    void aFileThatTheDiskHasNoRoomForLeavesNothing() throws IOException, InterruptedException {
        assumeTrue(SystemStorage.isLinux(), "a small file system is mounted on Linux only");
        assumeTrue(
                TestMachine.run("mount", "-t", "tmpfs", "-o", "size=8m", "larder-test", directory.toString()),
                "mounting a small file system needs root");
        try {
            assertThatThrownBy(() -> MappedFile.create(path(), 64 << 20, FileSync.NONE))
                    .isInstanceOf(DiskFullException.class);
            assertThat(SystemStorage.system().list(directory)).isEmpty();
        } finally {
            assertThat(TestMachine.run("umount", directory.toString())).isTrue();
        }
    }

    /** The region's own transfers to a file, and from one; larger than one step of the system. */
    @ParameterizedTest
    @EnumSource
    void movesBytesFromFileToFile(FileSync sync) throws IOException {
        byte[] bytes = new byte[3 << 20];
        new Random(1).nextBytes(bytes);
        Path target = directory.resolve("target");
        try (MappedFile file = MappedFile.create(path(), bytes.length, sync);
                Region region = file.map();
                FileChannel channel = FileChannel.open(
                        target, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            region.put(0, bytes);
            assertThat(region.transferTo(0, bytes.length, channel)).isEqualTo(bytes.length);
            assertThat(Files.readAllBytes(target)).isEqualTo(bytes);
            region.fill(0, bytes.length, (byte) 0);
            channel.position(0);
            assertThat(region.transferFrom(0, bytes.length, channel)).isEqualTo(bytes.length);
        }
        assertThat(Files.readAllBytes(path())).isEqualTo(bytes);
    }

    /** A part's offset 0 is not the file's. */
    @Test
    void movesBytesFromAPartOfAFile() throws IOException {
        try (MappedFile file = MappedFile.create(path(), 4 * PAGE, FileSync.NONE);
                Region part = file.map(2 * PAGE, PAGE)) {
            part.putInt(10, 0x01020304);
            BytesChannel channel = new BytesChannel();
            part.transferTo(10, 4, channel);
            assertThat(channel.bytes()).containsExactly(4, 3, 2, 1);
        }
    }

    /** An interrupt ends only the transfer that it meets; the region and later transfers keep working. */
    @Test
    void anInterruptEndsOneTransferAlone() throws IOException {
        assumeTrue(SystemStorage.isLinux(), "elsewhere only an interrupt of the target ends a transfer");
        try (Region region = Region.create(RegionKind.MAPPED_FILE, path().toString(), PAGE)) {
            region.putInt(0, 0x01020304);
            BytesChannel channel = new BytesChannel();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> region.transferTo(0, 4, channel)).isInstanceOf(ClosedByInterruptException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(channel.bytes()).isEmpty();
            BytesChannel next = new BytesChannel();
            assertThat(region.transferTo(0, 4, next)).isEqualTo(4);
            assertThat(next.bytes()).containsExactly(4, 3, 2, 1);
            region.force();
        }
    }

    /** The first interrupt closes the region's own channel. A later one ends a transfer nevertheless. */
    @Test
    void eachInterruptEndsATransferToAFile() throws IOException {
        try (Region region = Region.create(RegionKind.MAPPED_FILE, path().toString(), PAGE)) {
            for (int i = 0; i < 3; i++) {
                try (FileChannel target = FileChannel.open(
                        directory.resolve("target" + i), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                    Thread.currentThread().interrupt();
                    assertThatThrownBy(() -> region.transferTo(0, PAGE, target))
                            .isInstanceOf(ClosedByInterruptException.class);
                    assertThat(Thread.interrupted()).isTrue();
                }
                assertThat(directory.resolve("target" + i)).isEmptyFile();
            }
        }
    }

    /** The JDK transfers a file in steps of 8 MiB, and closing the file between two of them ended the transfer. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
    void closingARegionWaitsForItsTransfers(boolean whole) throws Exception {
        int bytes = 64 << 20;
        MappedFile file = MappedFile.create(path(), bytes, FileSync.NONE);
        Region region = whole ? Region.attach(RegionKind.MAPPED_FILE, path().toString()) : file.map();
        Pipe pipe = Pipe.open();
        try (ExecutorService threads = Executors.newCachedThreadPool();
                Pipe.SourceChannel source = pipe.source()) {
            Future<Long> moved = threads.submit(() -> {
                try (Pipe.SinkChannel sink = pipe.sink()) {
                    return region.transferTo(0, bytes, sink);
                }
            });
            assertThat(source.read(ByteBuffer.allocate(1))).isOne(); // the other thread is transferring
            Future<?> closing = threads.submit(() -> {
                region.close();
                file.close();
            });
            assertThatThrownBy(() -> closing.get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
            assertThatThrownBy(() -> region.transferTo(0, 1, new BytesChannel()))
                    .isInstanceOf(ClosedException.class);
            ByteBuffer rest = ByteBuffer.allocate(bytes);
            while (source.read(rest) >= 0) {
                Thread.onSpinWait();
            }
            assertThat(rest.position()).isEqualTo(bytes - 1);
            assertThat(moved.get()).isEqualTo(bytes);
            closing.get();
        }
    }

    @Test
    void regionsOutliveTheFileThatTheyWereMappedFrom() {
        MappedFile file = MappedFile.create(path(), PAGE, FileSync.NONE);
        try (Region region = file.map()) {
            file.close();
            region.putInt(0, 42);
            assertThat(region.getInt(0)).isEqualTo(42);
            assertThatThrownBy(region::force).isInstanceOf(ClosedException.class);
            assertThatThrownBy(file::map).isInstanceOf(ClosedException.class);
        }
    }

    @Test
    void deletesItsName() {
        try (MappedFile file = MappedFile.create(path(), PAGE, FileSync.NONE);
                Region region = file.map()) {
            assertThat(file.delete()).isTrue();
            assertThat(file.delete()).isFalse();
            region.putInt(0, 42);
            region.force();
            assertThat(path()).doesNotExist();
        }
    }
}
