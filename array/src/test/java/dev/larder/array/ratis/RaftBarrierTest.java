package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.memory.StorageException;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys.Read;
import org.apache.ratis.server.RaftServerConfigKeys.Rpc;
import org.apache.ratis.util.TimeDuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The barrier on real Raft, next to the reads of Ratis itself. */
final class RaftBarrierTest {

    private static final long CUT_OFF_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

    @TempDir
    Path directory;

    private RegisterCluster cluster(Consumer<RaftProperties> settings) {
        return new RegisterCluster(directory, settings);
    }

    /** How often a leader answered after it had lost both of its followers. */
    private record Answers(int behindBarrier, int byRatis) {}

    private Answers answersOfALeaderAlone(Consumer<RaftProperties> settings) {
        try (RegisterCluster cluster = cluster(settings.andThen(RaftBarrierTest::leadLong))) {
            int leader = cluster.leader();
            RegisterNode node = cluster.node(leader);
            assertThat(node.increment()).hasValue(1);
            assertThat(node.read()).hasValue(1);
            await().until(() -> node.readsByRatis(1000));
            cluster.closeOthers(leader);
            int behindBarrier = 0;
            long end = System.nanoTime() + CUT_OFF_NANOS;
            CompletableFuture<Integer> byRatis = OtherThread.call(() -> {
                int answered = 0;
                while (System.nanoTime() < end) {
                    answered += node.readsByRatis(100) ? 1 : 0;
                }
                return answered;
            });
            do {
                behindBarrier += node.read().isPresent() ? 1 : 0;
            } while (System.nanoTime() < end);
            return new Answers(behindBarrier, byRatis.join());
        }
    }

    /** Lets a leader continue for some seconds after it has heard from its followers, and elects the first one soon. */
    private static void leadLong(RaftProperties properties) {
        Rpc.setTimeoutMin(properties, TimeDuration.valueOf(6, TimeUnit.SECONDS));
        Rpc.setTimeoutMax(properties, TimeDuration.valueOf(8, TimeUnit.SECONDS));
        Rpc.setFirstElectionTimeoutMin(properties, TimeDuration.valueOf(300, TimeUnit.MILLISECONDS));
        Rpc.setFirstElectionTimeoutMax(properties, TimeDuration.valueOf(900, TimeUnit.MILLISECONDS));
    }

    /** The controls: a leader that is elected meanwhile may have changed what Ratis' own reads still return. */
    @Test
    void aLeaderThatIsCutOffAnswersNoReadAndRatisDoes() {
        Answers answers = answersOfALeaderAlone(properties -> {
            Read.setOption(properties, Read.Option.LINEARIZABLE);
            Read.setLeaderLeaseEnabled(properties, false);
        });
        System.out.println("array: a leader alone, reads of Ratis without lease: " + answers);
        assertThat(answers.behindBarrier()).isZero();
        assertThat(answers.byRatis()).isPositive();
    }

    @Test
    @Tag(Effort.LONG)
    void aLeaderThatIsCutOffAnswersNoReadAndRatisDoesUnderItsLease() {
        Answers answers = answersOfALeaderAlone(properties -> {
            Read.setOption(properties, Read.Option.LINEARIZABLE);
            Read.setLeaderLeaseEnabled(properties, true);
        });
        System.out.println("array: a leader alone, reads of Ratis with lease: " + answers);
        assertThat(answers.behindBarrier()).isZero();
        assertThat(answers.byRatis()).isPositive();
    }

    /** Between its creation and its start, a member of Ratis reports term 0, whatever it has promised. */
    @Test
    void aMemberThatStartsAnswersNothingBeforeItHasLoadedItsTerm() throws IOException {
        try (RegisterCluster cluster = cluster(properties -> {})) {
            int leader = cluster.leader();
            int other = (leader + 1) % RegisterCluster.NODES;
            long term = cluster.node(leader).member().term();
            assertThat(cluster.node(other).member().answer()).hasValue(term);
            cluster.close(other);
            try (RaftServer made = cluster.madeButNotStarted(other)) {
                RaftMember member = new RaftMember(made.getDivision(RaftGroupId.valueOf(RegisterNode.STRIPE)));
                assertThat(member.term()).isZero();
                assertThat(member.answer()).isEmpty();
            }
            RegisterNode again = cluster.open(other);
            again.start();
            assertThat(again.member().answer().getAsLong()).isGreaterThanOrEqualTo(term);
        }
    }

    /** Ratis would start the member with term 0 or an empty log, and let it vote. */
    @Test
    void aMemberThatHasLostItsTermOrItsLogDoesNotComeBack() throws IOException {
        try (RegisterCluster cluster = cluster(properties -> {})) {
            int leader = cluster.leader();
            assertThat(cluster.node(leader).increment()).hasValue(1);
            for (String lost : List.of("log_", "raft-meta")) {
                int other = (leader + (lost.equals("log_") ? 1 : 2)) % RegisterCluster.NODES;
                Path unused = cluster.logFolder(other).resolveSibling("no-entries");
                await().until(() -> !Files.exists(unused)); // the follower has heard that the entry is committed
                cluster.close(other);
                Path folder = cluster.logFolder(other);
                try (Stream<Path> files = Files.list(folder)) {
                    for (Path file : files.toList()) {
                        if (file.getFileName().toString().startsWith(lost)) {
                            Files.delete(file);
                        }
                    }
                }
                assertThatThrownBy(() -> cluster.open(other))
                        .isInstanceOf(StorageException.class)
                        .hasMessageContainingAll(folder.toString(), "member " + other + ".0", "do not start it again");
            }
        }
    }

    @Test
    void anEntryThatCannotBeAppliedStopsTheMemberAndIsNotSkipped() {
        try (RegisterCluster cluster = cluster(properties -> {})) {
            RegisterNode leader = cluster.node(cluster.leader());
            assertThat(leader.increment()).hasValue(1);
            assertThat(leader.submit("word")).failsWithin(Duration.ofSeconds(30));
            await().until(() -> !leader.register().failures().isEmpty());
            assertThat(leader.register().failures().getFirst()).hasMessageMatching("entry \\d+ is a word");
            assertThat(leader.increment()).isEmpty();
            assertThat(leader.register().value()).isEqualTo(1);
        }
    }

    /** By itself the follower would wait for 25 s at least. */
    @Test
    @Tag(Effort.LONG)
    void aFollowerOfALeaderThatIsGoneLeadsOnceItIsAsked() {
        try (RegisterCluster cluster = cluster(RaftBarrierTest::waitLong)) {
            int leader = cluster.leader();
            assertThat(cluster.node(leader).increment()).hasValue(1);
            int next = (leader + 1) % RegisterCluster.NODES;
            int other = (leader + 2) % RegisterCluster.NODES;
            assertThat(cluster.node(next).stand(other)).as("another leads").isFalse();
            cluster.close(leader);
            assertThat(cluster.node(next).stand(leader)).isTrue();
            await().until(() -> cluster.node(next).isReady());
            assertThat(cluster.node(next).increment()).hasValue(2);
        }
    }

    /**
     * Makes one of two followers miss an entry, and closes the leader. Returns the leader, the complete follower, and the other.
     */
    private static List<Integer> withoutLeader(RegisterCluster cluster) {
        int leader = cluster.leader();
        int longer = (leader + 1) % RegisterCluster.NODES;
        int shorter = (leader + 2) % RegisterCluster.NODES;
        assertThat(cluster.node(leader).increment()).hasValue(1);
        await().until(() ->
                cluster.node(shorter).end().equals(cluster.node(leader).end()));
        cluster.close(shorter);
        assertThat(cluster.node(leader).increment()).hasValue(2);
        await().until(() ->
                cluster.node(longer).end().equals(cluster.node(leader).end()));
        cluster.close(leader);
        cluster.open(shorter).start();
        await().until(() -> cluster.node(shorter).member().answer().isPresent());
        return List.of(leader, longer, shorter);
    }

    /** Why the order counts: the refused candidate has begun a term, in which Ratis 3.3.0 lets no other member stand. */
    @Test
    @Tag(Effort.LONG)
    void aCandidateWithFewerEntriesSpoilsItForTheOther() {
        try (RegisterCluster cluster = cluster(RaftBarrierTest::waitLong)) {
            List<Integer> nodes = withoutLeader(cluster);
            RegisterNode longer = cluster.node(nodes.get(1));
            RegisterNode shorter = cluster.node(nodes.get(2));
            long before = longer.member().term();
            await().until(() -> shorter.stand(nodes.getFirst()));
            await().until(() -> longer.member().term() > before);
            assertThat(longer.stand(nodes.getFirst())).isFalse();
        }
    }

    @Test
    @Tag(Effort.LONG)
    void theFollowerWithTheLongestLogLeadsOnceItIsAsked() {
        try (RegisterCluster cluster = cluster(RaftBarrierTest::waitLong)) {
            List<Integer> nodes = withoutLeader(cluster);
            RegisterNode longer = cluster.node(nodes.get(1));
            assertThat(longer.end()).isGreaterThan(cluster.node(nodes.get(2)).end());
            assertThat(longer.stand(nodes.getFirst())).isTrue();
            await().until(longer::isReady);
            assertThat(longer.increment()).hasValue(3);
        }
    }

    private static void waitLong(RaftProperties properties) {
        Rpc.setTimeoutMin(properties, TimeDuration.valueOf(25, TimeUnit.SECONDS));
        Rpc.setTimeoutMax(properties, TimeDuration.valueOf(28, TimeUnit.SECONDS));
        Rpc.setFirstElectionTimeoutMin(properties, TimeDuration.valueOf(300, TimeUnit.MILLISECONDS));
        Rpc.setFirstElectionTimeoutMax(properties, TimeDuration.valueOf(6, TimeUnit.SECONDS));
    }

    /** Reads never return less than was acknowledged before they began, also while leaders come and go. */
    @Test
    @Tag(Effort.LONG)
    void readsSeeWhatWasAcknowledgedBeforeThem() throws Exception {
        try (RegisterCluster cluster = cluster(properties -> {})) {
            AtomicLong acknowledged = new AtomicLong();
            AtomicLong reads = new AtomicLong();
            AtomicBoolean ended = new AtomicBoolean();
            for (int round = 0; round < 3; round++) {
                int leader = cluster.leader();
                ended.set(false);
                CompletableFuture<Void> writer = OtherThread.run(() -> {
                    while (!ended.get()) {
                        cluster.node(leader).increment().ifPresent(acknowledged::set);
                    }
                });
                CompletableFuture<Void> reader = OtherThread.run(() -> {
                    while (!ended.get()) {
                        long least = acknowledged.get();
                        OptionalLong read = cluster.node(leader).read();
                        if (read.isPresent()) {
                            assertThat(read.getAsLong()).isGreaterThanOrEqualTo(least);
                            reads.incrementAndGet();
                        }
                    }
                });
                TimeUnit.MILLISECONDS.sleep(500);
                ended.set(true);
                writer.get(1, TimeUnit.MINUTES);
                reader.get(1, TimeUnit.MINUTES);
                cluster.close(leader);
                long least = acknowledged.get();
                int next = cluster.leader();
                OptionalLong read = await().until(() -> cluster.node(next).read(), OptionalLong::isPresent);
                assertThat(read.getAsLong()).isGreaterThanOrEqualTo(least);
                cluster.open(leader).start();
            }
            assertThat(acknowledged.get()).isPositive();
            assertThat(reads.get()).isPositive();
        }
    }
}
