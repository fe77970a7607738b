package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An entry that belongs to a term, on real Raft. */
final class EntryTermTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    /** Another leader may have answered reads at a later time than the entry's. */
    @Test
    void anEntryOfAnEarlierTermIsNotAppended() {
        try (RegisterCluster cluster = new RegisterCluster(directory, properties -> {})) {
            RegisterNode leader = cluster.node(cluster.leader());
            long term = leader.member().term();
            assertThat(leader.submit(term)).succeedsWithin(PATIENCE);
            assertThat(leader.increment()).as("of any term").hasValue(2);
            for (long other : new long[] {term - 1, term + 1}) {
                assertThat(leader.submit(other))
                        .failsWithin(PATIENCE)
                        .withThrowableOfType(ExecutionException.class)
                        .extracting(Throwable::getCause, InstanceOfAssertFactories.type(NotCommittedException.class))
                        .matches(NotCommittedException::isRefused)
                        .matches(refusal -> !refusal.isBusy());
            }
            assertThat(leader.submit(term)).succeedsWithin(PATIENCE);
            assertThat(leader.register().value())
                    .as("no other entry is ahead of it")
                    .isEqualTo(3);
            assertThat(leader.member().leadsIn(term)).as("leads on").isTrue();
        }
    }
}
