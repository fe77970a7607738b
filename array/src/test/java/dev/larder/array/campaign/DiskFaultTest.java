package dev.larder.array.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.tests.support.Effort;
import dev.larder.tests.support.Porcupine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One node's disk fails. The node takes no part until the disk is mended, the others continue, and some order of the calls
 * explains the replies to clients.
 */
@Tag(Effort.QUIET)
final class DiskFaultTest {

    private static final int DISK_MIB = 96;

    /** The node that leads the first stripe of a new array. The second node after it leads none. */
    private static final int FIRST_LEADER = 0;

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    private Path directory;

    @BeforeEach
    void needsTheJudge() {
        Porcupine.missing().ifPresent(reason -> assumeTrue(false, reason));
    }

    /** The disk is full while all nodes write. The node says so, and comes back once there is room. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGoOnWhileADiskIsFull(boolean isTheLeaders) {
        assumeTrue(Namespaces.missing().isEmpty(), Namespaces.missing());
        Namespaces network = new Namespaces(Campaign.NODES);
        int full = isTheLeaders ? FIRST_LEADER : FIRST_LEADER + 2;
        Path disk = directory.resolve("node" + full);
        network.mount(full, disk, DISK_MIB);
        try (Campaign campaign = new Campaign(directory, network, 1, null)) {
            Cluster cluster = campaign.cluster();
            campaign.answers(100);
            await().atMost(PATIENCE).until(() -> cluster.leader() == FIRST_LEADER);
            network.run(full, "dd", "if=/dev/zero", "of=" + disk.resolve("filler"), "bs=1M");
            await().atMost(PATIENCE).until(() -> cluster.logged(full).contains("has stopped its member"));
            // the store or Raft's log finds it
            assertThat(cluster.logged(full)).containsAnyOf("DiskFullException", "No space left on device");
            await().atMost(PATIENCE).until(() -> {
                int leader = cluster.leader();
                return leader >= 0 && leader != full;
            });
            campaign.answers(100);
            cluster.kill(full);
            network.run(full, "rm", disk.resolve("filler").toString());
            cluster.start(full);
            campaign.answers(100);
            assertThat(campaign.judge()).isEmpty();
        }
    }

    /** A node is killed while it writes its log: behind the last whole entry lies the beginning of another. */
    @Test
    void shouldStartWithATornTailOfItsLog() {
        try (Campaign campaign = new Campaign(directory, new Loopback(Campaign.NODES), 1, null)) {
            Cluster cluster = campaign.cluster();
            campaign.answers(100);
            cluster.kill(1);
            assertThat(RaftFiles.tear(cluster.folder(1), new SplittableRandom(1)))
                    .isPositive();
            campaign.answers(50);
            cluster.start(1);
            campaign.answers(50);
            assertThat(campaign.judge()).isEmpty();
        }
    }
}
