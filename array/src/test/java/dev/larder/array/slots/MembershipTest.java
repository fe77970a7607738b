package dev.larder.array.slots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.array.MemberName;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The voters of a stripe while they change. */
final class MembershipTest {

    private static Set<MemberName> members(int... nodes) {
        return IntStream.of(nodes).mapToObj(node -> new MemberName(node, 0)).collect(Collectors.toSet());
    }

    private static Membership of(Set<MemberName> voters, Set<MemberName> previous) {
        return new Membership(1, voters, previous, Set.of(), Set.of());
    }

    @Test
    void aMemberThatIsBeingAddedOrRemovedIsNotAVoterOfAllSets() {
        assertThat(of(members(0, 1, 2, 3), members(0, 1, 2)).votersOfAll()).isEqualTo(members(0, 1, 2));
        assertThat(of(members(1, 2, 3), members(0, 1, 2, 3)).votersOfAll()).isEqualTo(members(1, 2, 3));
    }

    @Test
    void allVotersAreThoseOfTheOneSetThatCounts() {
        assertThat(of(members(0, 1, 2), Set.of()).votersOfAll()).isEqualTo(members(0, 1, 2));
    }
}
