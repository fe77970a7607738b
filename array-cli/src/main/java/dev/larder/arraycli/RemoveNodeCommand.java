package dev.larder.arraycli;

import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.meta.KnownNode;
import dev.larder.array.plan.NodeState;
import dev.larder.arraycli.state.ArrayView;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Figures;
import dev.larder.cli.Larder;
import dev.larder.memory.LarderException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Removes a node from an array. */
@Command(
        name = "remove-node",
        description =
                "Moves all members of a node to other nodes. Run the command again once the node has none: it then "
                        + "removes the node. No other node ever gets the node's number.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            AccessArguments.PASSWORD,
            ExitCode.EXAMPLES,
            "  larder array remove-node array.properties 1",
            "  larder array remove-node array.properties 1 --lost",
            ExitCode.HELP
        })
final class RemoveNodeCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private TopologyChange change = new TopologyChange();

    @Parameters(index = "1", paramLabel = "NUMBER", description = "The number of the node.")
    private int node;

    @Option(names = "--lost", description = "The node or its files are lost: remove its members before adding others.")
    private boolean lost;

    @Override
    public Integer call() {
        ArrayView view = lost ? change.patientView() : change.ask();
        PrintStream out = Larder.streams(command).out();
        KnownNode known = view.record()
                .node(node)
                .orElseThrow(() -> new LarderException("there is no node " + node + ": the nodes are "
                        + view.record().nodes().stream().map(KnownNode::number).toList()));
        NodeState state = lost || known.node().state() == NodeState.LOST ? NodeState.LOST : NodeState.LEAVING;
        boolean isEmpty = view.members(node) == 0;
        if (isEmpty || state != NodeState.LOST) { // a stripe that is not led may have a member here against its goal
            TopologyChange.requireLed(view);
        }
        if (isEmpty) {
            forget(view, out);
            return ExitCode.OK;
        }
        ArrayRecord next = view.record().withState(node, state);
        change.apply(view, TopologyChange.planned(view, next), out);
        return ExitCode.OK;
    }

    private void forget(ArrayView view, PrintStream out) {
        if (!change.isDryRun()) {
            change.propose(view, view.record().without(node));
        }
        change.rewrite(nodes -> {
            nodes.remove(node);
            return nodes;
        });
        change.tell(
                out,
                new Figures().put("node", node).put("forgotten", !change.isDryRun()),
                List.of((change.isDryRun() ? "dry run: " : "") + "node " + node
                        + " has no members, and leaves the array"));
    }
}
