package dev.larder.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlGroupTest {

    @TempDir
    Path root;

    private Path processFiles(String mountInfo, String groups) throws IOException {
        Path process = Files.createDirectories(root.resolve("proc/self"));
        Files.writeString(process.resolve("mountinfo"), mountInfo.replace("ROOT", root.toString()));
        Files.writeString(process.resolve("cgroup"), groups);
        return process;
    }

    @Test
    void findsTheMemoryControllerOfVersionOne() throws IOException {
        Files.createDirectories(root.resolve("memory/jobs/7"));
        ControlGroupMount mount = ControlGroupMount.find(processFiles("""
            30 20 0:26 / ROOT/cpu rw shared:9 - cgroup cgroup rw,cpu
            31 20 0:27 / ROOT/memory rw,relatime shared:10 - cgroup cgroup rw,memory
            32 20 0:28 / ROOT/unified rw - cgroup2 cgroup2 rw
            """, "4:memory:/jobs/7\n1:cpu:/\n0::/\n"))
                .orElseThrow();
        assertThat(mount).isEqualTo(new ControlGroupMount(1, root.resolve("memory"), root.resolve("memory/jobs/7")));
    }

    @Test
    void findsVersionTwo() throws IOException {
        Files.createDirectories(root.resolve("unified/user.slice"));
        Files.writeString(root.resolve("unified/cgroup.controllers"), "cpu memory\n");
        ControlGroupMount mount = ControlGroupMount.find(processFiles(
                        "32 20 0:28 / ROOT/unified rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n",
                        "0::/user.slice\n"))
                .orElseThrow();
        assertThat(mount)
                .isEqualTo(new ControlGroupMount(2, root.resolve("unified"), root.resolve("unified/user.slice")));
    }

    @Test
    void seesItsOwnGroupAsTheTopInAContainer() throws IOException {
        Files.createDirectories(root.resolve("memory"));
        ControlGroupMount mount = ControlGroupMount.find(processFiles(
                        "31 20 0:27 /docker/abc ROOT/memory ro - cgroup cgroup rw,memory\n", "4:memory:/docker/abc\n"))
                .orElseThrow();
        assertThat(mount.own()).isEqualTo(mount.top()).isEqualTo(root.resolve("memory"));
    }

    @Test
    void theLowestLimitOnTheWayUpHolds() throws IOException {
        Path inner = Files.createDirectories(root.resolve("a/b"));
        Files.writeString(root.resolve("a/memory.max"), "1000\n");
        Files.writeString(inner.resolve("memory.max"), "max\n");
        assertThat(new ControlGroup(2, inner).limitBytes()).isEqualTo(1000);
        Files.writeString(inner.resolve("memory.max"), "300\n");
        assertThat(new ControlGroup(2, inner).limitBytes()).isEqualTo(300);
        Files.writeString(inner.resolve("memory.limit_in_bytes"), "9223372036854771712\n");
        assertThat(new ControlGroup(1, inner).limitBytes()).isNull();
    }

    @Test
    void readsUseAndKills() throws IOException {
        Files.writeString(root.resolve("memory.stat"), "anon 5\nfile 4096\nfile_mapped 17\n");
        Files.writeString(root.resolve("memory.events"), "low 0\noom 3\noom_kill 2\n");
        Files.writeString(root.resolve("memory.current"), "77\n");
        ControlGroup group = new ControlGroup(2, root);
        assertThat(group.cachedBytes()).isEqualTo(4096);
        assertThat(group.killed()).isEqualTo(2);
        assertThat(group.usedBytes()).isEqualTo(77);
        assertThat(group.peakBytes()).isNull();
    }

    @Test
    void saysWhyThereIsNoGroup() {
        List<String> tried = new ArrayList<>();
        assertThat(MemoryLimit.ofGroup(ControlGroupMount.find(root), 1 << 28, tried))
                .isEmpty();
        assertThat(tried).containsExactly("no memory control group hierarchy is mounted");
    }

    @Test
    void refusalSaysWhatWasTriedAndOffersAMultipleOfTheMachinesMemory() {
        assertThat(MemoryLimit.refusal(1 << 28, List.of("one reason", "another")))
                .hasMessageContaining("256 MiB")
                .hasMessageContaining("one reason; another")
                .hasMessageContaining("--memory-limit none --total")
                .hasMessageContaining("of disk");
    }
}
