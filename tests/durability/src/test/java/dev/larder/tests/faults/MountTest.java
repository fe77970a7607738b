package dev.larder.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.codec.ValueCodec;
import dev.larder.log.IntegrityMode;
import dev.larder.log.LogFailedException;
import dev.larder.log.LogOptions;
import dev.larder.log.ReadOnlyException;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.LarderMap;
import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.CorruptException;
import dev.larder.memory.FileSystemKind;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.UnsupportedFileSystemException;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.tests.crash.ChildProcess;
import dev.larder.tests.shutdown.AcknowledgingWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The file systems and mounts on which a directory may lie, and the changes that its files may suffer from outside. */
class MountTest {

    private static final LogOptions OPTIONS =
            LogOptions.defaults().withLargestSegmentBytes(2L << 20).withSync(SyncPolicy.none());

    private static final int MESSAGES_OF_ZEROS = 3000;

    @TempDir
    Path place;

    @Test
    void shouldReadOnAReadOnlyFileSystemAndRefuseToWrite() throws Exception {
        try (SmallFileSystem small = SmallFileSystem.tmpfs(place, 64)) {
            Path directory = small.root().resolve("queue");
            try (LarderQueue queue = LarderQueue.open(directory, OPTIONS);
                    Appender appender = queue.appender()) {
                Numbered.append(appender, 0, 300, 10_000);
                queue.sync();
            }
            small.remount("ro");
            try (LarderQueue queue = LarderQueue.open(directory, OPTIONS.withReadOnly(true))) {
                assertThat(Numbered.count(queue)).isEqualTo(300);
                assertThat(queue.verify().problems()).isEmpty();
            }
            assertThatThrownBy(() -> LarderQueue.open(directory, OPTIONS))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("ead-only file system")
                    .hasMessageContaining(directory.toString());
        }
    }

    @Test
    void shouldReadAMapOnAReadOnlyFileSystemAndRefuseToWrite() throws Exception {
        try (SmallFileSystem small = SmallFileSystem.tmpfs(place, 64)) {
            Path directory = small.root().resolve("map");
            try (LarderMap<String, Long> map =
                    LarderMap.open(directory, ValueCodec.texts(), ValueCodec.longs(), OPTIONS)) {
                map.put("one", 1L);
                map.sync();
            }
            small.remount("ro");
            try (LarderMap<String, Long> map =
                    LarderMap.open(directory, ValueCodec.texts(), ValueCodec.longs(), OPTIONS.withReadOnly(true))) {
                assertThat(map.get("one")).isEqualTo(1);
                assertThat(map.keySet()).containsExactly("one");
                assertThatThrownBy(() -> map.put("two", 2L)).isInstanceOf(ReadOnlyException.class);
            }
            assertThatThrownBy(() -> LarderMap.open(directory, ValueCodec.texts(), ValueCodec.longs(), OPTIONS))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("ead-only file system")
                    .hasMessageContaining(directory.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfs4", "nfs", "9p", "fuse.sshfs", "fuse", "cifs", "virtiofs"})
    void shouldRefuseWhatIsNotLocal(String type) {
        Storage storage = new DelegatingStorage(SystemStorage.system()) {
            @Override
            public FileSystemKind fileSystem(Path directory) {
                return new FileSystemKind(type);
            }
        };
        LogOptions options = HookedOptions.withStorage(OPTIONS, storage);
        assertThatThrownBy(() -> LarderQueue.open(place.resolve("queue"), options))
                .isInstanceOf(UnsupportedFileSystemException.class)
                .hasMessageContaining("of type " + type);
        try (LarderQueue queue = LarderQueue.open(place.resolve("queue"), options.withAllowRemote(true))) {
            assertThat(Numbered.count(queue)).isZero();
        }
    }

    /**
     * A segment gets its name by a hard link, which these file systems lack. The log is not created there, but a copied one is
     * read.
     */
    @ParameterizedTest
    @ValueSource(strings = {"vfat", "exfat"})
    void shouldRefuseAFileSystemWithoutHardLinks(String type) throws Exception {
        Path original = place.resolve("queue");
        try (LarderQueue queue = LarderQueue.open(original, OPTIONS);
                Appender appender = queue.appender()) {
            Numbered.append(appender, 0, 300, 10_000);
        }
        try (SmallFileSystem disk = SmallFileSystem.loop(place, type, 64)) {
            String mounted = SystemStorage.system().fileSystem(disk.root()).name();
            assumeTrue(mounted.equals(type), "mount uses " + mounted + " for " + type);
            assertThatThrownBy(() -> LarderQueue.open(disk.root().resolve("new"), OPTIONS))
                    .isInstanceOf(UnsupportedFileSystemException.class)
                    .hasMessageContainingAll("of type " + type, "no hard links");
            assertThat(disk.root().resolve("new")).isEmptyDirectory();
            Path file = Files.createFile(disk.root().resolve("file"));
            assertThatThrownBy(
                            () -> SystemStorage.system().link(file, disk.root().resolve("name")))
                    .isInstanceOf(UnsupportedFileSystemException.class)
                    .hasMessageContainingAll("of type " + type, "no hard links");
            Path copy = Files.createDirectory(disk.root().resolve("copy"));
            copy(original, copy);
            assertThatThrownBy(() -> LarderQueue.open(copy, OPTIONS))
                    .isInstanceOf(UnsupportedFileSystemException.class);
            try (LarderQueue queue = LarderQueue.open(copy, OPTIONS.withReadOnly(true))) {
                assertThat(Numbered.count(queue)).isEqualTo(300);
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    /**
     * The kernel does not compress files that are written in place, whatever the mount asks for. To leave compression to the
     * file system, the log must not write in place.
     */
    @Test
    void shouldLeaveCompressionToAFileSystemIfAsked() throws Exception {
        assumeTrue(SystemStorage.system().isNative(), "without native calls no file is written in place");
        try (SmallFileSystem disk = SmallFileSystem.loop(place, "btrfs", 512)) {
            assertThat(disk.unmount()).isTrue();
            assertThat(disk.mount("loop,compress-force=zstd:1")).isTrue();
            long inPlace = diskBytes(disk, "in-place", Allocation.GROW);
            long copied = diskBytes(disk, "copied", Allocation.GROW_COPIED);
            assertThat(inPlace).isGreaterThan(MESSAGES_OF_ZEROS * 10_000L);
            assertThat(copied).isLessThan(inPlace / 4);
        }
    }

    /** Returns the room on the disk that a queue of well compressible messages takes; reads the queue back whole. */
    private static long diskBytes(SmallFileSystem disk, String name, Allocation allocation) throws Exception {
        Commands.run("sync", "-f", disk.root());
        long before = Files.getFileStore(disk.root()).getUnallocatedSpace();
        LogOptions options = OPTIONS.withLayout(layout -> layout.withAllocation(allocation));
        try (LarderQueue queue = LarderQueue.open(disk.root().resolve(name), options);
                Appender appender = queue.appender()) {
            for (int message = 0; message < MESSAGES_OF_ZEROS; message++) {
                appender.append(new byte[10_000]);
            }
            queue.sync();
            assertThat(queue.count(queue.info().firstPosition(), queue.info().endPosition()))
                    .isEqualTo(MESSAGES_OF_ZEROS);
            assertThat(queue.verify().problems()).isEmpty();
        }
        Commands.run("sync", "-f", disk.root());
        return before - Files.getFileStore(disk.root()).getUnallocatedSpace();
    }

    /**
     * SIGBUS: a mapped segment is cut from outside. The JVM lives, and the log takes nothing more. A sync or a close, which
     * looks for the end of the log, once let the bare error through.
     */
    @Test
    void shouldFailTheLogWhenASegmentIsCut() throws Exception {
        Path directory = place.resolve("queue");
        LarderQueue queue = LarderQueue.open(directory, OPTIONS.withPrepareBytes(0));
        Appender appender = queue.appender();
        Numbered.append(appender, 0, 50, 10_000);
        cut(directory.resolve("0000000000.seg"), 4096);
        assertThatThrownBy(() -> Numbered.append(appender, 50, 100, 10_000))
                .isInstanceOf(LogFailedException.class)
                .hasMessageContaining("an access to a mapped file failed");
        assertThatThrownBy(queue::sync).isInstanceOf(LogFailedException.class);
        assertThatThrownBy(queue::appender).isInstanceOf(LogFailedException.class);
        assertThatThrownBy(() -> Numbered.count(queue))
                .isInstanceOfAny(StorageException.class, LogFailedException.class) // found before or during the read
                .hasMessageContaining(directory.toString());
        assertThat(queue.verify().problems()).singleElement().asString().contains("cannot be read");
        assertThatThrownBy(queue::close).isInstanceOf(LogFailedException.class);
    }

    private static void cut(Path file, long bytes) throws Exception {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
        }
    }

    @Test
    void shouldKeepFilesToTheirOwner() throws Exception {
        assertThat(modes(Access.OWNER)).containsExactlyInAnyOrder("rwx------", "rw-------");
    }

    @Test
    void shouldShareFilesWithAGroupIfAsked() throws Exception {
        assertThat(modes(Access.GROUP)).containsExactlyInAnyOrder("rwxrwx---", "rw-rw----");
    }

    /** The umask neither opens the files to other users nor closes them to their owner. */
    @ParameterizedTest
    @ValueSource(strings = {"000", "077"})
    void shouldKeepFilesToTheirOwnerUnderAnyUmask(String umask) throws Exception {
        assumeTrue(Files.getFileStore(place).supportsFileAttributeView("posix"), "there are no POSIX permissions");
        Path directory = place.resolve("made").resolve("queue");
        List<String> command = new ArrayList<>(List.of("sh", "-c", "umask " + umask + "; exec \"$@\"", "sh"));
        command.addAll(ChildProcess.command(AcknowledgingWriter.class, directory.toString(), "RECORD", "none"));
        Process child = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
            assertThat(lines.readLine()).as("the child writes").isNotNull();
        } finally {
            child.destroyForcibly().waitFor();
        }
        try (Stream<Path> files = Files.walk(place.resolve("made"))) {
            assertThat(files.map(MountTest::mode).distinct()).containsExactlyInAnyOrder("rwx------", "rw-------");
        }
    }

    /**
     * Bytes that come from the disk are checked before the log hands them out, even if the options do not ask to verify reads.
     */
    @ParameterizedTest
    @EnumSource(
            value = IntegrityMode.class,
            names = {"RECORD", "SEAL"})
    void shouldCheckWhatComesFromTheDisk(IntegrityMode integrity) throws Exception {
        try (SmallFileSystem disk = SmallFileSystem.loop(place, "ext4", 64)) {
            Path directory = disk.root().resolve("queue");
            LogOptions options = OPTIONS.withIntegrity(integrity);
            try (LarderQueue queue = LarderQueue.open(directory, options);
                    Appender appender = queue.appender()) {
                Numbered.append(appender, 0, 150, 10_000);
                queue.sync();
            }
            flipAByte(directory.resolve("0000000000.seg"), 500_000);
            assertThat(disk.unmount()).isTrue();
            assertThat(disk.mount("loop")).isTrue();
            try (LarderQueue queue = LarderQueue.open(directory, options)) {
                assertThatThrownBy(() -> Numbered.count(queue)).isInstanceOf(CorruptException.class);
                assertThat(queue.verify().problems()).hasSize(1);
            }
        }
    }

    private static void flipAByte(Path file, long at) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, at);
            one.put(0, (byte) ~one.get(0)).rewind();
            channel.write(one, at);
        }
    }

    private List<String> modes(Access access) throws Exception {
        assumeTrue(Files.getFileStore(place).supportsFileAttributeView("posix"), "there are no POSIX permissions");
        Path directory = place.resolve("queue");
        try (LarderQueue queue = LarderQueue.open(directory, OPTIONS.withAccess(to -> to.withFiles(access)));
                Appender appender = queue.appender()) {
            Numbered.append(appender, 0, 300, 10_000);
        }
        try (Stream<Path> files = Files.walk(directory)) { // after the close: an open queue renames its files meanwhile
            return files.map(MountTest::mode).distinct().toList();
        }
    }

    private static String mode(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
