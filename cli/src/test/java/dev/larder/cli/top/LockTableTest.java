package dev.larder.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose lock a line of the kernel's table is. */
class LockTableTest {

    /** Another file system has a file of the same number. */
    @Test
    void tellsFileSystemsApart() {
        List<String> locks = List.of(
                "1: OFDLCK ADVISORY  WRITE -1 08:01:131 16 16",
                "2: OFDLCK ADVISORY  WRITE -1 08:02:131 16 16",
                "3: OFDLCK ADVISORY  WRITE -1 08:01:1131 16 16",
                "4: OFDLCK ADVISORY  READ -1 08:01:131 17 17",
                "5: POSIX  ADVISORY  WRITE 14004 08:01:131 0 EOF",
                "6: OFDLCK ADVISORY  WRITE -1 08:01:131 18 18");
        assertThat(LockTable.holders(locks, "08:01:131")).isEqualTo(2);
        assertThat(LockTable.holders(locks, "08:02:131")).isEqualTo(1);
    }

    @Test
    void namesTheDeviceOfTheInnermostMount() {
        List<String> mounts = List.of(
                "22 1 8:1 / / rw - ext4 /dev/sda1 rw",
                "23 22 0:27 / /mnt rw - btrfs /dev/sdb rw",
                "24 22 254:16 / /mnt/a\\040b rw - xfs /dev/vdb rw",
                "25 24 0:40 / /mnt/a\\040b rw - tmpfs none rw");
        assertThat(LockTable.device(mounts, Path.of("/var/log.lck"))).isEqualTo("08:01");
        assertThat(LockTable.device(mounts, Path.of("/mnt/x/log.lck"))).isEqualTo("00:1b");
        assertThat(LockTable.device(mounts, Path.of("/mntx/log.lck"))).isEqualTo("08:01");
        assertThat(LockTable.device(mounts, Path.of("/mnt/a b/log.lck"))).isEqualTo("00:28");
        assertThat(LockTable.device(mounts.subList(0, 3), Path.of("/mnt/a b/log.lck")))
                .isEqualTo("fe:10");
    }
}
