package dev.larder.lab.machine;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.lab.result.LabException;
import org.junit.jupiter.api.Test;

final class BudgetTest {

    private static final long GIB = 1L << 30;

    private final Budget budget =
            new Budget().add("heap", 4 * GIB).add("region", 0).add("generator", GIB / 4);

    @Test
    void theSumIsToldWhereItDoesNotFit() {
        assertThatCode(() -> budget.check("this", "", 5 * GIB, null)).doesNotThrowAnyException();
        assertThatThrownBy(() -> budget.check("a run", "Do less", 4 * GIB, null))
                .isInstanceOf(LabException.class)
                .hasMessage("too little memory for a run: it needs 4.25 GiB = 4 GiB heap + 256 MiB generator;"
                        + " the machine has 4 GiB. Do less");
    }

    @Test
    void whatOthersHaveTakenCountsToo() {
        assertThatThrownBy(() -> budget.check("a run", "Do less", 8 * GIB, 3 * GIB))
                .hasMessageContaining("the machine has 8 GiB, and 3 GiB of them are available now");
    }
}
