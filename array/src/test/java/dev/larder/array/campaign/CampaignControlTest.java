package dev.larder.array.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.array.campaign.Fault.Kind;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.Porcupine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controls of the campaign: with a fault planted in the nodes, the same checks find it. */
@Tag(Effort.LONG)
final class CampaignControlTest {

    private static final int KILLS = 3;

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
        return new Schedule(0, false, List.of(new Fault(kind, true, 0, 500, millis)));
    }

    /** A leader that is cut off answers reads, though its successor has acknowledged writes. */
    @Test
    void shouldFindReadsWithoutABarrier() {
        assertThat(readsOfAFormerLeader(Plant.leaderThatStays(Plant.readsWithoutBarrier(folder()))))
                .isNotEmpty();
    }

    /** The same leader with its barrier: so it is the barrier that the control before lacks. */
    @Tag(Effort.QUIET) // for its time
    @Test
    void shouldFindNothingWhereALeaderStaysAndAsks() {
        assertThat(readsOfAFormerLeader(Plant.leaderThatStays(folder()))).isEmpty();
    }

    /** Writes go elsewhere: those to a leader without a majority would stay open, and the judge tries each order of them. */
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

    /** Several times: where a store was kept just before, nothing comes again. */
    @Test
    void shouldFindStoresThatAreNotTakenBack() {
        try (Campaign campaign = campaign(new Loopback(Campaign.NODES), Plant.storesThatAreNotTakenBack(folder()))) {
            campaign.answers(200);
            for (int i = 0; i < KILLS; i++) {
                campaign.bringAbout(leaderMeets(Kind.KILL_ALL, 0));
                campaign.answers(100);
            }
            assertThat(campaign.judge()).isNotEmpty();
        }
    }

    /**
     * A member comes back with files of an earlier day, so it has forgotten what it acknowledged: with the member that has missed
     * the last writes it is a majority. (Ratis does not count the vote of a member whose log is empty.)
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
            assertThat(cluster.logged(forgetful)).contains("must not come back");
            copy(earlier, cluster.folder(forgetful));
            cluster.start(forgetful);
            cluster.start(missing);
            campaign.answers(50);
            assertThat(campaign.judge()).isNotEmpty();
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
