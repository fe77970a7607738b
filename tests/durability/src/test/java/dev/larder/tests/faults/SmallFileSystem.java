package dev.larder.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.tests.support.SystemPrograms;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small file system of its own: a tmpfs, or one in an image file behind a loop device. Needs root. */
final class SmallFileSystem implements AutoCloseable {

    private final Path image;
    private final Path mountPoint;

    private SmallFileSystem(Path image, Path mountPoint) {
        this.image = image;
        this.mountPoint = mountPoint;
    }

    static SmallFileSystem tmpfs(Path place, long megabytes) throws IOException, InterruptedException {
        assumeTrue(SystemPrograms.exist("mount"), "there is no mount command");
        Path mountPoint = Files.createDirectory(place.resolve("mnt"));
        boolean mounted = Commands.run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "larder", mountPoint);
        assumeTrue(mounted, "mounting a small tmpfs needs root");
        return new SmallFileSystem(place.resolve("none"), mountPoint);
    }

    /** Makes and mounts a file system of a type; the test is skipped where the machine cannot. */
    static SmallFileSystem loop(Path place, String type, long megabytes) throws IOException, InterruptedException {
        assumeTrue(SystemPrograms.exist("mkfs." + type), "mkfs." + type + " is not installed");
        Path image = place.resolve("fs.img");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(megabytes << 20);
        }
        assertThat(make(type, image)).as("mkfs." + type).isTrue();
        SmallFileSystem made = new SmallFileSystem(image, Files.createDirectory(place.resolve("mnt")));
        assumeTrue(
                made.mount("loop"),
                "root".equals(System.getProperty("user.name"))
                        ? "no file system of type " + type + " can be mounted: no loop device, or no such kernel module"
                        : "mounting needs root");
        return made;
    }

    /** Makes a file system over the old contents of a file; each type has its own flag for that, or none. */
    private static boolean make(String type, Path image) throws IOException, InterruptedException {
        String program = "mkfs." + type;
        return switch (type) {
            case "vfat", "exfat" -> Commands.run(program, image);
            case "ext4" -> Commands.run(program, "-F", image);
            default -> Commands.run(program, "-f", image);
        };
    }

    /** Mounts the file system again. */
    boolean mount(String options) throws IOException, InterruptedException {
        return Commands.run("mount", "-o", options, image, mountPoint);
    }

    /**
     * Mounts the file system after it was shut down. The kernel may still have the dead one for a moment, and would mount that
     * one again. So a mount that cannot be written to is undone and tried again.
     */
    boolean mountAfterShutdown() throws IOException, InterruptedException {
        for (int tries = 0; tries < 20; tries++) {
            if (mount("loop") && Commands.run("touch", mountPoint.resolve("alive"))) {
                return true;
            }
            unmount();
            Thread.sleep(200);
        }
        return false;
    }

    boolean unmount() throws IOException, InterruptedException {
        return Commands.run("umount", mountPoint);
    }

    /** Changes the options of the mount. */
    void remount(String options) throws IOException, InterruptedException {
        assertThat(Commands.run("mount", "-o", "remount," + options, mountPoint))
                .as("remount " + options)
                .isTrue();
    }

    Path root() {
        return mountPoint;
    }

    @Override
    public void close() throws IOException {
        try {
            if (!unmount()) {
                assertThat(Commands.run("umount", "-l", mountPoint))
                        .as("unmount")
                        .isTrue();
            }
        } catch (InterruptedException e) {
            throw new IOException("interrupted while unmounting " + mountPoint, e);
        }
    }
}
