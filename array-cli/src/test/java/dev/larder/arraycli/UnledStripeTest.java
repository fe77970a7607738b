package dev.larder.arraycli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.array.plan.Condition;
import dev.larder.array.plan.Goal;
import dev.larder.array.plan.Member;
import dev.larder.array.plan.Stripe;
import dev.larder.arraycli.state.ArrayDescription;
import dev.larder.arraycli.state.ArrayView;
import dev.larder.arraycli.state.NodeAccess;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two of five nodes are lost. One stripe had two members there, and has no majority. The others are repaired. */
@Tag(Effort.LONG)
final class UnledStripeTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int UNLED = 2;

    @TempDir
    Path directory;

    private final ArrayShell shell = new ArrayShell();
    private RealArray array;

    @BeforeEach
    void start() throws IOException {
        array = new RealArray(directory, new UUID(6, 7), 5, 3);
        array.create();
        array.startAll();
        array.awaitServing();
    }

    @AfterEach
    void stop() {
        array.close();
    }

    private ArrayView view() {
        return ArrayView.ask(ArrayDescription.read(array.file()), NodeAccess.OPEN);
    }

    /** Waits until a stripe has just these members, which are up to date. */
    private void awaitMembers(int number, Integer... nodes) {
        await().atMost(PATIENCE)
                .until(() -> view().topology().stripes().stream()
                        .filter(stripe -> stripe.number() == number)
                        .anyMatch(stripe -> isOn(stripe, List.of(nodes))));
    }

    private static boolean isOn(Stripe stripe, List<Integer> nodes) {
        return stripe.members().stream().map(Member::node).toList().equals(nodes)
                && stripe.members().stream().allMatch(member -> member.condition() == Condition.CURRENT);
    }

    private void run(String... arguments) {
        assertThat(shell.array(arguments)).as(shell.err()).isZero();
    }

    /** Regression: each of these commands failed for as long as one stripe had no leader. */
    @Test
    void membersOfOtherStripesMove() {
        String file = array.file().toString();
        array.stop(3);
        array.stop(4);
        await().atMost(PATIENCE).until(() -> view().missing().equals(Set.of(UNLED)));
        Goal before = view().record().goals().get(UNLED);

        run("remove-node", file, "3", "--lost");
        assertThat(shell.out()).contains("stripes [2] have no leader, or are changing: their plans stay");
        run("remove-node", file, "4", "--lost");
        awaitMembers(1, 0, 1, 2);
        assertThat(view().record().goals().get(UNLED)).isEqualTo(before);
        run("remove-node", file, "3");
        assertThat(shell.out()).contains("nothing to do");

        run("add-node", file, "127.0.0.1:" + FreePorts.takeNode().getPort());
        array.create(5);
        array.start(5);
        run("move", file, "--stripe", "0", "--from", "0", "--to", "5");
        awaitMembers(0, 1, 2, 5);
        assertThat(shell.array("move", file, "--stripe", "2", "--from", "3", "--to", "5"))
                .isEqualTo(3);
        assertThat(shell.err()).hasLineCount(1).contains("stripe 2 has no leader");
    }
}
