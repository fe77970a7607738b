package dev.larder.array.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.array.plan.Node;
import dev.larder.array.plan.NodeState;
import dev.larder.array.plan.Planner;
import dev.larder.array.plan.Stripe;
import dev.larder.array.plan.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TopologyJsonTest {

    private static Topology array() {
        List<Node> nodes = List.of(
                new Node(0, "a", 1, NodeState.IN),
                new Node(1, "b", 2, NodeState.IN),
                new Node(2, "c", 1, NodeState.IN),
                new Node(3, "c", 1, NodeState.LOST));
        return Planner.create(new Topology(Long.MIN_VALUE, 2, 1, nodes, List.of(Stripe.empty(0), Stripe.empty(1))));
    }

    @Test
    void whatIsWrittenIsRead() {
        Topology array = array();
        assertThat(TopologyJson.read(TopologyJson.write(array))).isEqualTo(array);
        Topology half = array.with(new Node(4, "d", 1, NodeState.IN));
        half = half.after(Planner.plan(half.with(half.nodes().getFirst().withState(NodeState.LEAVING)), 1)
                .steps()
                .subList(0, 1));
        assertThat(TopologyJson.read(TopologyJson.write(half))).isEqualTo(half);
        Topology empty = new Topology(1, 3, 0, List.of(), List.of(Stripe.empty(0)));
        assertThat(TopologyJson.read(TopologyJson.write(empty))).isEqualTo(empty);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"version\" : 1 | \"version\" : 2 | version 2 is not 1",
                "\"mirrors\" : 2 | \"mirrors\" : \"2\" | mirrors is not a whole number: 2",
                "\"mirrors\" : 2 | \"mirrors\" : 2.5 | mirrors is not a whole number: 2.5",
                "\"mirrors\" : 2 | \"mirrors\" : 4294967298 | mirrors is not a number of 32 bits",
                "\"zone\" : \"b\" | \"zone\" : 7 | nodes[1].zone is not a text: 7",
                "\"weight\" : 2 | \"weight\" : 0 | node 1: weight 0 is not within 1 and 100",
                "\"lost\" | \"gone\" | nodes[3].state is not a known value: gone",
                "\"epoch\" : 1 | \"epoque\" : 1 | stripes[0].epoch is not a whole number: null",
                "\"zone\" : \"c\" | \"zone\" : \"c\", \"rack\" : 1 | nodes[2].rack is unknown",
                "\"name\" : \"0.0\" | \"name\" : \"0\" | stripes[0].members[0].name: not the name of a member",
                "\"votes\" : true | \"votes\" : 1 | stripes[0].members[0].votes is not true or false: 1",
                "{ | [ | it is not a JSON object"
            })
    void whatIsWrongIsNamed(String right, String wrong, String message) {
        String text = TopologyJson.write(array());
        assertThat(text).contains(right);
        String changed =
                text.substring(0, text.indexOf(right)) + wrong + text.substring(text.indexOf(right) + right.length());
        assertThatThrownBy(() -> TopologyJson.read(changed))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
