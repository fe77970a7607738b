package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.array.MemberName;
import dev.larder.array.slots.Membership;
import dev.larder.tests.support.FreePorts;
import dev.larder.tests.support.OtherThread;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.protocol.exceptions.ReconfigurationTimeoutException;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.TimeDuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members that are added to a stripe in which clients write all the time. */
final class JoiningPeersTest {

    private static final TimeDuration SILENCE_MOST = TimeDuration.valueOf(2, TimeUnit.SECONDS);

    @TempDir
    Path directory;

    /**
     * The member's node died, or has withdrawn it. Ratis alone waits until no client writes for 4 s, and makes no other change
     * before.
     */
    @Test
    void aMemberThatIsSilentIsGivenUpThoughClientsWrite() {
        try (RegisterCluster cluster = new RegisterCluster(
                directory, properties -> RaftServerConfigKeys.setStagingTimeout(properties, SILENCE_MOST))) {
            RegisterNode leader = cluster.node(cluster.leader());
            AtomicBoolean ended = new AtomicBoolean();
            CompletableFuture<Void> writer = OtherThread.run(() -> {
                while (!ended.get()) {
                    assertThat(leader.increment()).isPresent();
                }
            });
            try {
                MemberName silent = new MemberName(RegisterCluster.NODES, 0);
                Membership before = leader.members();
                Set<MemberName> more = new HashSet<>(before.voters());
                more.add(silent);
                CompletableFuture<Void> added = leader.change(
                        before,
                        more,
                        List.of(new StripePeer(silent, FreePorts.take(1).getFirst(), false)));
                assertThatThrownBy(() -> added.get(1, TimeUnit.MINUTES))
                        .hasCauseInstanceOf(ReconfigurationTimeoutException.class);

                int own = leader.member().name().node();
                Set<MemberName> less = new HashSet<>(before.voters());
                less.remove(new MemberName((own + 1) % RegisterCluster.NODES, 0));
                assertThat(leader.change(before, less, List.of())).succeedsWithin(1, TimeUnit.MINUTES);
            } finally {
                ended.set(true);
            }
            assertThat(writer).succeedsWithin(1, TimeUnit.MINUTES);
        }
    }
}
