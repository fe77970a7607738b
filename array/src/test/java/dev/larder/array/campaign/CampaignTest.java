package dev.larder.array.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.tests.support.Effort;
import dev.larder.tests.support.Porcupine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The failure campaign: some order of the calls explains all replies to the clients of three nodes. Meanwhile nodes are killed,
 * stopped and cut off, disks are lost, nodes join and members move. {@code -Dlarder.campaign.seed=N} runs the schedule of one
 * seed alone.
 */
final class CampaignTest {

    /** How many faults a schedule has. */
    private static final int FAULTS = Effort.of(3, 3, 4);

    /** How many calls a schedule has at least: a million in all with -Psoak. */
    private static final int CALLS = Effort.of(0, 1000, 10_000);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    @BeforeEach
    void needsTheJudge() {
        Porcupine.missing().ifPresent(reason -> assumeTrue(false, reason));
    }

    static LongStream seeds() {
        Long one = Long.getLong("larder.campaign.seed");
        long first = Long.getLong("larder.campaign.first", 1);
        return one != null ? LongStream.of(one) : LongStream.range(first, first + Effort.of(1, 2, 100));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldAnswerAsOneServerWould(long seed) throws IOException {
        boolean withCuts = Namespaces.missing().isEmpty();
        Schedule schedule = Schedule.of(seed, FAULTS, withCuts);
        System.out.println(schedule);
        int hosts = schedule.nodes() + Campaign.MORE_HOSTS;
        Network network = withCuts ? new Namespaces(hosts) : new Loopback(hosts);
        try (Campaign campaign = new Campaign(directory, network, schedule)) {
            campaign.answers(100);
            campaign.bringAbout(schedule);
            campaign.answers(Math.max(100, CALLS - campaign.load().history().answered()));
            assertThat(campaign.judge()).as("%s", schedule).isEmpty();
        }
    }
}
