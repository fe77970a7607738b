package dev.larder.array.form;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.array.MemberName;
import dev.larder.array.form.ArrayForecast.Measured;
import dev.larder.array.plan.Node;
import dev.larder.array.plan.NodeState;
import dev.larder.array.plan.Plan;
import dev.larder.array.plan.PlanSummary;
import dev.larder.array.plan.Planner;
import dev.larder.array.plan.Stripe;
import dev.larder.array.plan.Topology;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The array of the design page: 4 servers, 16 stripes, 3 mirrors, 2 billion values of 1700 B. A server is lost and replaced, and
 * a fifth one is added. The figures are those of the page.
 */
final class ArticleArrayTest {

    private static final long STRIPE_BYTES = 2_000_000_000L * 1700 / 16;

    private static Topology array() {
        return Planner.create(new Topology(
                1,
                3,
                0,
                IntStream.range(0, 4).mapToObj(ArticleArrayTest::server).toList(),
                IntStream.range(0, 16).mapToObj(Stripe::empty).toList()));
    }

    private static Node server(int number) {
        return new Node(number, "rack" + number, 1, NodeState.IN);
    }

    /** Returns the array without server 1, once each stripe that it led has elected another leader. */
    private static Topology withoutServer1() {
        Topology array = array();
        array = array.with(server(1).withState(NodeState.LOST));
        for (Stripe stripe : array.stripes()) {
            if (stripe.leader().isEmpty()) {
                Optional<MemberName> next = stripe.members().stream()
                        .map(member -> member.name())
                        .filter(name -> name.node() != 1)
                        .findFirst();
                array = array.with(stripe.withLeader(next));
            }
        }
        return array;
    }

    private static PlanSummary summary(Topology array) {
        Plan plan = Planner.plan(array, 2);
        assertThat(plan.obstacles()).isEmpty();
        return PlanSummary.of(plan, STRIPE_BYTES);
    }

    @Test
    void aServerHas12MembersAndLeads4Stripes() {
        PlanSummary summary = summary(array());
        assertThat(summary.copies()).isZero();
        assertThat(summary.members()).isEqualTo(Map.of(0, 12, 1, 12, 2, 12, 3, 12));
        assertThat(summary.leaders()).isEqualTo(Map.of(0, 4, 1, 4, 2, 4, 3, 4));
        assertThat(12 * STRIPE_BYTES).isEqualTo(2_550_000_000_000L);
    }

    @Test
    void withoutAServerTheOthersCopyItsMembers() {
        PlanSummary summary = summary(withoutServer1());
        assertThat(summary.copies()).isEqualTo(12);
        assertThat(summary.copiedByNode().values()).containsOnly(4 * STRIPE_BYTES);
        assertThat(4 * STRIPE_BYTES).isEqualTo(850_000_000_000L);
        assertThat(summary.members()).isEqualTo(Map.of(0, 16, 2, 16, 3, 16));
        assertThat(summary.leaders().values()).containsOnly(5, 6);
        assertThat(summary.transfers()).isEqualTo(1);
    }

    @Test
    void aServerThatReplacesItCopiesItsMembersAndNoOtherDoes() {
        PlanSummary summary = summary(withoutServer1().with(server(4)));
        assertThat(summary.copies()).isEqualTo(12);
        assertThat(summary.copiedByNode()).isEqualTo(Map.of(4, 12 * STRIPE_BYTES));
        assertThat(summary.members()).isEqualTo(Map.of(0, 12, 2, 12, 3, 12, 4, 12));
        assertThat(summary.leaders().values()).containsOnly(4);
        assertThat(summary.transfers()).isEqualTo(4);
    }

    @Test
    void aFifthServerCopies9Members() {
        PlanSummary summary = summary(array().with(server(4)));
        assertThat(summary.copies()).isEqualTo(9);
        assertThat(summary.copiedByNode()).isEqualTo(Map.of(4, 9 * STRIPE_BYTES));
        assertThat(summary.copiedBytes()).isEqualTo(1_912_500_000_000L);
        assertThat(summary.members().values()).containsOnly(9, 10);
        assertThat(summary.leaders().values()).containsOnly(3, 4);
        assertThat(summary.transfers()).isEqualTo(4);
    }

    /** Prints the tables of docs/results/array, from measured figures. */
    @Test
    void whatItWouldNeedIsComputed() {
        Measured measured = new Measured(31, 79, 2178, 2554, 64 << 20);
        ArrayForecast article = new ArrayForecast(2_000_000_000, 4, 16, measured);
        ArrayForecast large = new ArrayForecast(100_000_000_000_000L / 1700, 20, 80, measured);
        for (ArrayForecast array : List.of(article, large)) {
            System.out.println("array: " + array.servers() + " servers, " + array.stripes() + " stripes");
            array.servers(16_500.0 * array.servers()).forEach(System.out::println);
            array.events().forEach(System.out::println);
            System.out.println(array.losses(2));
            System.out.println(array.losses(3));
        }
        assertThat(article.stripeBytes()).isEqualTo(STRIPE_BYTES);
        assertThat(article.afterOneLost().copies()).isEqualTo(12);
        assertThat(article.hours(article.afterOneLost())).isBetween(3.5, 3.6);
        assertThat(article.losses(2)).isEqualTo("| 2 | 1.0000 | 8.00 | 8 |");
        assertThat(article.losses(3)).isEqualTo("| 3 | 1.0000 | 4.00 | 4 |");
        assertThat(large.afterOneLost().copies()).isEqualTo(12);
    }

    @Test
    void aPlanIsPrinted() {
        Plan plan = Planner.plan(array().with(server(4)), 2);
        List<String> lines = PlanForm.lines(plan, STRIPE_BYTES);
        assertThat(lines)
                .hasSize(plan.steps().size() + 6)
                .contains("9 members copy 1912500000000 bytes; 4 leaders change");
        assertThat(lines.getLast()).isEqualTo("node 4: 9 members, 3 leaders, copies 1912500000000 bytes");
        assertThat(PlanForm.json(plan, STRIPE_BYTES))
                .contains("\"zoneLimit\" : 1", "\"copiedBytes\" : 1912500000000", "\"kind\" : \"add-listener\"");
    }
}
