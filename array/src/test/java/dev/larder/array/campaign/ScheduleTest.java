package dev.larder.array.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Consecutive schedules bring about every kind of fault, with and without moves. */
final class ScheduleTest {

    private static Set<Fault.Kind> kinds(int firstSeed, int lastSeed, int step, int faults, boolean withCuts) {
        Set<Fault.Kind> kinds = EnumSet.noneOf(Fault.Kind.class);
        for (int seed = firstSeed; seed <= lastSeed; seed += step) {
            Schedule schedule = Schedule.of(seed, faults, withCuts);
            assertThat(schedule.faults()).hasSize(faults);
            assertThat(schedule.moves()).isEqualTo(seed % 2 == 0);
            assertThat(schedule.clocks()).isEqualTo(seed % 3 == 1);
            assertThat(schedule.nodes()).isEqualTo(seed % 4 == 3 ? 5 : 3);
            schedule.faults().forEach(fault -> kinds.add(fault.kind()));
        }
        return kinds;
    }

    @ParameterizedTest
    @CsvSource({"3, true, 11", "4, true, 11", "3, false, 7", "4, false, 7"})
    void everyKindComes(int faults, boolean withCuts, int kinds) {
        assertThat(kinds(1, 4, 1, faults, withCuts)).as("four seeds").hasSize(kinds);
        assertThat(kinds(1, 43, 2, faults, withCuts)).as("without moves").hasSize(kinds);
        assertThat(kinds(2, 44, 2, faults, withCuts)).as("with moves").hasSize(kinds);
    }
}
