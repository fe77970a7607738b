package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.array.MemberName;
import dev.larder.array.ratis.RaftLogs.Needs;
import dev.larder.tests.support.FreePorts;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which parts of a log may go while a member is away. */
final class RaftLogsTest {

    @TempDir
    private Path directory;

    @Test
    void whatNobodyNeedsGoesAndTheEntryBeforeStays() {
        assertThat(RaftLogs.upTo(new Needs(700, 500, 500), 0, 0, 1000)).isEqualTo(498);
        assertThat(RaftLogs.upTo(new Needs(500, 700, 700), 0, 0, 1000)).isEqualTo(498);
    }

    @Test
    void whatAMemberNeedsThatIsAwayStaysWithinTheBound() {
        assertThat(RaftLogs.upTo(new Needs(900, 900, 10), 600, 0, 1000)).isEqualTo(598);
    }

    @Test
    void whatAMemberNeedsThatTakesEntriesStaysWithinTheGreaterBound() {
        assertThat(RaftLogs.upTo(new Needs(900, 300, 10), 600, 0, 1000)).isEqualTo(298);
        assertThat(RaftLogs.upTo(new Needs(900, 10, 10), 600, 200, 1000)).isEqualTo(198);
    }

    @Test
    void whatTheMemberNeedsItselfStaysBeyondTheBound() {
        assertThat(RaftLogs.upTo(new Needs(100, 10, 10), 600, 200, 1000)).isEqualTo(98);
    }

    @Test
    void theLastEntryStays() {
        assertThat(RaftLogs.upTo(new Needs(1002, 1001, 1001), 0, 0, 1000)).isEqualTo(999);
    }

    /** In a log of the greatest length, small entries would take more than the heap. */
    @Test
    void thePlacesOfEntriesTakeASmallPartOfTheHeap() {
        RaftOptions options =
                RaftOptions.of(new MemberName(0, 0), FreePorts.take(1).getFirst(), directory, Optional.empty());
        long few = options.withStripesMost(64).entriesMost();
        assertThat(options.entriesMost()).isPositive().isBetween(16 * few, 16 * (few + 1));
        assertThat(options.entriesMost() * options.stripesMost() * 160)
                .isLessThanOrEqualTo(Runtime.getRuntime().maxMemory() / 32);
    }
}
