package dev.larder.memory.portable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.memory.SystemStorage;
import dev.larder.memory.TestMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The identity of a mounted file system, on a small one in a file.
 *
 * <p>The number of the mount was the identity at first. It differs for every bind mount, so a container that was killed
 * and started again would have taken the kill for a power cut, and cut what only a power cut can lose.
 */
final class MountIdentityTest {

    @TempDir
    Path directory;

    private Path first;
    private Path second;

    @BeforeEach
    void name() {
        first = directory.resolve("first");
        second = directory.resolve("second");
    }

    @AfterEach
    void unmountAll() throws IOException, InterruptedException {
        TestMachine.run("umount", String.valueOf(second));
        TestMachine.run("umount", String.valueOf(first));
    }

    @Test
    void isTheSameThroughABindMount() throws IOException, InterruptedException {
        mountANewFileSystem("mkfs.ext4", 8);
        assertThat(TestMachine.run("mount", "--bind", first.toString(), second.toString()))
                .isTrue();
        TestMachine.storages()
                .forEach(storage -> assertThat(storage.mountIdentity(second))
                        .startsWith("ext4:")
                        .isEqualTo(storage.mountIdentity(first)));
    }

    /** Otherwise a killed container would find another number of the mount, and take the kill for a loss of power. */
    @Test
    void isUnknownWhereTheKernelShowsNoLifeOfTheFileSystem() throws IOException, InterruptedException {
        mountANewFileSystem("mkfs.btrfs", 128);
        assertThat(TestMachine.run("mount", "--bind", first.toString(), second.toString()))
                .isTrue();
        TestMachine.storages().forEach(storage -> {
            assertThat(storage.mountIdentity(first)).isEmpty();
            assertThat(storage.mountIdentity(second)).isEmpty();
        });
    }

    @Test
    void differsAfterAnUnmount() throws IOException, InterruptedException {
        mountANewFileSystem("mkfs.ext4", 8);
        String before = PortableStorage.INSTANCE.mountIdentity(first);
        assertThat(TestMachine.run("umount", first.toString())).isTrue();
        assertThat(mount()).isTrue();
        assertThat(PortableStorage.INSTANCE.mountIdentity(first))
                .startsWith("ext4:")
                .isNotEqualTo(before);
    }

    @Test
    void allStoragesSayTheSame() throws IOException, InterruptedException {
        mountANewFileSystem("mkfs.ext4", 8);
        assertThat(TestMachine.storages()
                        .map(storage -> storage.mountIdentity(first))
                        .distinct())
                .hasSize(1);
    }

    @Test
    void namesADeviceAsTheKernelDoes() {
        assertThat(MountIdentity.device(0xfe00)).isEqualTo("254:0");
        assertThat(MountIdentity.device(0x10301)).isEqualTo("259:1"); // makedev(259, 1)
        assertThat(MountIdentity.device(0x100800)).isEqualTo("8:256"); // makedev(8, 256)
    }

    @Test
    void knowsTheKernelsThatUseNoNumberTwice() {
        assertThat(MountIdentity.numbersAreUsedOnce("6.18.44-generic")).isTrue();
        assertThat(MountIdentity.numbersAreUsedOnce("5.5")).isTrue();
        assertThat(MountIdentity.numbersAreUsedOnce("5.4.0-200")).isFalse();
        assertThat(MountIdentity.numbersAreUsedOnce("4.18.0")).isFalse();
    }

    private void mountANewFileSystem(String maker, int mebibytes) throws IOException, InterruptedException {
        assumeTrue(SystemStorage.isLinux(), "file systems are made and mounted on Linux only");
        assumeTrue(
                MountIdentity.numbersAreUsedOnce(System.getProperty("os.version")),
                "kernels before 5.5 use their numbers again");
        Files.createDirectory(first);
        Files.createDirectory(second);
        Path image = Files.write(directory.resolve("image"), new byte[mebibytes << 20]);
        assumeTrue(TestMachine.run(maker, "-q", image.toString()), "there is no " + maker);
        assumeTrue(mount(), "mounting needs root, and a kernel that has the file system");
    }

    private boolean mount() throws IOException, InterruptedException {
        Path image = directory.resolve("image");
        return TestMachine.run("mount", "-o", "loop", image.toString(), first.toString());
    }
}
