package dev.larder.array.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.array.campaign.Fault.Kind;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.Porcupine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controls of the campaign: the same checks find a fault that is planted in the nodes. */
@Tag(Effort.LONG)
final class CampaignControlTest {

    private static final int KILLS = 3;
    private static final int LOST_ENTRIES_MOST = 60;
    private static final int BRIEF_KEYS = 20;
    private static final int BRIEF_MILLIS = 1500;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    private Path directory;

    @BeforeEach
    void needsTheJudge() {
        Porcupine.missing().ifPresent(reason -> assumeTrue(false, reason));
    }

    private Campaign campaign(Network network, @Nullable Path planted) {
        return new Campaign(directory, network, 1, planted);
    }

    /** Returns the planted classes' folder. */
    private Path folder() {
        return directory.resolve("planted");
    }

    private static Schedule leaderMeets(Kind kind, int millis) {
        return new Schedule(0, false, false, false, Campaign.NODES, List.of(new Fault(kind, true, 0, 500, millis)));
    }

    /** A leader that is cut off answers reads, though its successor has acknowledged writes. */
    @Test
    void shouldFindReadsWithoutABarrier() {
        assertThat(readsOfAFormerLeader(Plant.leaderThatStays(Plant.readsWithoutBarrier(folder()))))
                .isNotEmpty();
    }

    /** The same leader with its barrier: so the control before fails because it lacks the barrier. */
    @Tag(Effort.QUIET) // for its time
    @Test
    void shouldFindNothingWhereALeaderStaysAndAsks() {
        assertThat(readsOfAFormerLeader(Plant.leaderThatStays(folder()))).isEmpty();
    }

    private static boolean hasStopped(Cluster cluster) {
        return cluster.nodes().stream().anyMatch(node -> cluster.logged(node).contains("cannot apply entry"));
    }

    /** Returns what is wrong with reads. Writes go elsewhere: a leader without a majority does not answer them. */
    private List<String> readsOfAFormerLeader(Path planted) {
        assumeTrue(Namespaces.missing().isEmpty(), Namespaces.missing());
        try (Campaign campaign = campaign(new Namespaces(Campaign.NODES), planted)) {
            campaign.answers(100);
            int leader = campaign.awaitLeader();
            campaign.load().leave(leader);
            campaign.replace(leader, 200);
            return campaign.judgeCalls();
        }
    }

    @Tag(Effort.QUIET) // for its time
    @Test
    void shouldFindAnAcknowledgementBeforeTheMajority() {
        assumeTrue(Namespaces.missing().isEmpty(), Namespaces.missing());
        Path planted = Plant.leaderThatStays(Plant.acknowledgementBeforeTheMajority(folder()));
        try (Campaign campaign = campaign(new Namespaces(Campaign.NODES), planted)) {
            campaign.answers(100);
            campaign.replace(campaign.awaitLeader(), 200);
            assertThat(campaign.judgeCalls()).isNotEmpty();
        }
    }

    /**
     * Kills several times: if a store was kept just before, no entry comes again. A member stops if its stream already has an
     * entry that comes again. Otherwise the judge finds the fault.
     */
    @Test
    void shouldFindStoresThatAreNotTakenBack() {
        try (Campaign campaign = campaign(new Loopback(Campaign.NODES), Plant.storesThatAreNotTakenBack(folder()))) {
            campaign.answers(200);
            boolean stopped = false;
            for (int i = 0; i < KILLS && !stopped; i++) {
                campaign.bringAbout(leaderMeets(Kind.KILL_ALL, 0));
                long least = campaign.load().history().answered() + 100;
                stopped = await().atMost(PATIENCE)
                        .until(
                                () -> hasStopped(campaign.cluster())
                                        ? Optional.of(true)
                                        : campaign.load().history().answered() >= least
                                                ? Optional.of(false)
                                                : Optional.<Boolean>empty(),
                                Optional::isPresent)
                        .orElseThrow();
            }
            assertThat(stopped || !campaign.judge().isEmpty()).isTrue();
        }
    }

    /**
     * A member comes back with files of an earlier day, so it has forgotten what it acknowledged. Together with the member that
     * has missed the last writes it is a majority. (Ratis does not count the vote of a member whose log is empty.)
     */
    @Tag(Effort.QUIET)
    @Test
    void shouldFindAMemberWithFilesOfAnEarlierDay() throws IOException {
        try (Campaign campaign = campaign(new Loopback(Campaign.NODES), null)) {
            Cluster cluster = campaign.cluster();
            campaign.answers(100);
            int forgetful = 1;
            int missing = 2;
            Path earlier = directory.resolve("earlier");
            cluster.kill(forgetful);
            copy(cluster.folder(forgetful), earlier);
            cluster.start(forgetful);
            cluster.kill(missing);
            campaign.answers(200);
            cluster.kill(0);
            cluster.kill(forgetful);
            delete(cluster.folder(forgetful));
            assertThat(cluster.tryStart(forgetful)).isFalse();
            assertThat(cluster.logged(forgetful)).contains("do not start it again");
            copy(earlier, cluster.folder(forgetful));
            cluster.start(forgetful);
            cluster.start(missing);
            campaign.answers(50);
            assertThat(campaign.judge()).isNotEmpty();
        }
    }

    /** The whole array loses power, and each member is killed while it writes its log. */
    @Tag(Effort.QUIET)
    @Test
    void shouldFindTornTailsThatAreCutTooFar() {
        assertThat(foundAsLogsAreHurt(
                        Plant.tailsCutTooFar(folder()), log -> RaftFiles.tear(log, new SplittableRandom(1))))
                .isNotEmpty();
    }

    @Tag(Effort.QUIET)
    @Test
    void shouldFindDamagedLogsThatAreCut() {
        assertThat(foundAsLogsAreHurt(
                        Plant.logsCutAtDamage(folder()),
                        log -> RaftFiles.garble(log, new SplittableRandom(1), LOST_ENTRIES_MOST)))
                .isNotEmpty();
    }

    private List<String> foundAsLogsAreHurt(Path planted, ToIntFunction<Path> hurting) {
        try (Campaign campaign = campaign(new Loopback(Campaign.NODES), planted)) {
            Cluster cluster = campaign.cluster();
            campaign.answers(300);
            cluster.killAll();
            cluster.nodes()
                    .forEach(node ->
                            assertThat(hurting.applyAsInt(cluster.folder(node))).isPositive());
            cluster.startAll();
            try {
                campaign.answers(50);
                return campaign.judgeCalls();
            } catch (AssertionError | CompletionException e) { // members may find it, and stop: then the array ends
                if (!hasStopped(cluster)) {
                    throw e;
                }
                return List.of("members have stopped");
            }
        }
    }

    /** A node that has no files must not start: the campaign finds that this one does. */
    @Tag(Effort.QUIET)
    @Test
    void shouldFindANodeThatStartsWithoutItsFiles() {
        try (Campaign campaign = campaign(new Loopback(Campaign.NODES), Plant.startWithoutFiles(folder()))) {
            campaign.answers(50);
            Schedule lost = leaderMeets(Kind.LOST_DISK, 0);
            assertThatThrownBy(() -> campaign.bringAbout(lost))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("starts");
        }
    }

    /**
     * A member that joins applies entries long after the others. On the others some keys expired before they were set again. They
     * did not where all is applied at once.
     */
    @Tag(Effort.QUIET)
    @Test
    void shouldFindEntriesAtTheTimeOfAMember() {
        try (Campaign campaign = campaign(new Loopback(Campaign.HOSTS), Plant.entriesAtTheTimeOfAMember(folder()))) {
            List<String> brief = IntStream.range(0, BRIEF_KEYS)
                    .mapToObj(number -> "brief-" + number)
                    .toList();
            campaign.answers(50);
            campaign.load().call(brief, new Command("px", "v:" + BRIEF_MILLIS));
            Faults.sleep(2 * BRIEF_MILLIS);
            campaign.load().call(brief, new Command("xx", "w"));
            campaign.bringAbout(leaderMeets(Kind.LOST_DISK, 0));
            assertThat(campaign.judge()).anyMatch(wrong -> wrong.contains("differ"));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
