package dev.larder.arraycli;

import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.plan.Goal;
import dev.larder.array.plan.NodeState;
import dev.larder.array.plan.Role;
import dev.larder.arraycli.state.ArrayView;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.memory.LarderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Moves one member of a stripe to another node. */
@Command(
        name = "move",
        description =
                "Begins to move the member of a stripe from one node to another. The nodes continue after the command"
                        + " has ended. If the first node was the planned leader of the stripe, the second takes its"
                        + " place.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            AccessArguments.PASSWORD,
            ExitCode.EXAMPLES,
            "  larder array move array.properties --stripe 2 --from 0 --to 3",
            ExitCode.HELP
        })
final class MoveCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private TopologyChange change = new TopologyChange();

    @Option(names = "--stripe", paramLabel = "NUMBER", required = true, description = "The number of the stripe.")
    private int stripe;

    @Option(names = "--from", paramLabel = "NUMBER", required = true, description = "The node that has the member.")
    private int from;

    @Option(names = "--to", paramLabel = "NUMBER", required = true, description = "The node that gets the member.")
    private int to;

    @Override
    public Integer call() {
        ArrayView view = change.ask();
        ArrayRecord record = view.record();
        if (stripe < 0 || stripe >= record.goals().size()) {
            throw new LarderException("there is no stripe " + stripe + ": the stripes are 0 to "
                    + (record.goals().size() - 1));
        }
        if (view.missing().contains(stripe)) {
            throw new LarderException("stripe " + stripe + " has no leader, or is changing; try again");
        }
        Goal before = record.goals().get(stripe);
        if (!before.roles().containsKey(from) || before.roles().containsKey(to)) {
            throw new LarderException("stripe " + stripe + " is planned on the nodes "
                    + before.roles().keySet() + ": cannot move a member from node " + from + " to node " + to);
        }
        if (record.node(to).filter(node -> node.node().state() == NodeState.IN).isEmpty()) {
            throw new LarderException("node " + to + " cannot get members: it is unknown, or being removed");
        }
        Map<Integer, Role> roles = new TreeMap<>(before.roles());
        roles.remove(from);
        roles.put(to, Objects.requireNonNull(before.roles().get(from)));
        List<Goal> goals = new ArrayList<>(record.goals());
        goals.set(stripe, new Goal(stripe, roles, before.leader() == from ? to : before.leader()));
        change.apply(
                view,
                record.withGoals(goals).withVersion(record.version() + 1),
                Larder.streams(command).out());
        return ExitCode.OK;
    }
}
