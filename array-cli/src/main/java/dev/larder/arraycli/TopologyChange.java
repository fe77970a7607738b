package dev.larder.arraycli;

import dev.larder.array.NodeAddresses;
import dev.larder.array.form.PlanForm;
import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.plan.Plan;
import dev.larder.array.plan.Planner;
import dev.larder.array.plan.Topology;
import dev.larder.arraycli.state.ArrayDescription;
import dev.larder.arraycli.state.ArrayView;
import dev.larder.cli.Figures;
import dev.larder.memory.LarderException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The common part of the commands that change where stripes are to be: they print the plan, and then propose it. */
final class TopologyChange {

    /** The steps that are printed assume that as many stripes move at once as the leaders move by themselves. */
    private static final int MOVES_AT_ONCE = 1;

    /** How long a stripe may take to elect a leader, or to change its members. */
    private static final long LEADERS_NANOS = TimeUnit.SECONDS.toNanos(10);

    @Parameters(index = "0", paramLabel = "FILE", description = "The file that describes the array.")
    private Path file = Path.of("");

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Option(names = "--dry-run", description = "Print the plan, and change nothing.")
    private boolean dryRun;

    @Mixin
    private AccessArguments access = new AccessArguments();

    /** Asks the nodes. */
    ArrayView ask() {
        return ArrayView.ask(description(), access.access());
    }

    /** Returns the present array; all stripes must be led. */
    ArrayView view() {
        ArrayView view = ask();
        requireLed(view);
        return view;
    }

    /** Requires that all stripes are led, and none is being changed. */
    static void requireLed(ArrayView view) {
        if (!view.missing().isEmpty()) {
            throw new LarderException("stripes " + view.missing() + " have no leader, or are changing; try again");
        }
    }

    /** Returns the present array. Waits for some seconds until all stripes are led: a stripe that has a majority soon is. */
    ArrayView patientView() {
        long end = System.nanoTime() + LEADERS_NANOS;
        ArrayView view = ask();
        while (!view.missing().isEmpty() && System.nanoTime() - end < 0) {
            ArrayView.pause();
            view = ask();
        }
        return view;
    }

    ArrayDescription description() {
        return ArrayDescription.read(file);
    }

    /** Turns this change into a dry run. */
    void dryRun() {
        dryRun = true;
    }

    boolean isDryRun() {
        return dryRun;
    }

    /** Returns the next record, with the goals that the planner sets. A stripe that is not led keeps its goal. */
    static ArrayRecord planned(ArrayView view, ArrayRecord next) {
        Topology topology = next.topology(view.array(), view.assumed().stripes());
        try {
            return next.withGoals(Planner.target(topology).goals().stream()
                    .map(goal -> view.missing().contains(goal.stripe())
                            ? next.goals().get(goal.stripe())
                            : goal)
                    .toList());
        } catch (IllegalArgumentException e) {
            throw new LarderException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Prints the plan that leads to a record. Proposes the record, unless this is a dry run or nothing changes. */
    void apply(ArrayView view, ArrayRecord next, PrintStream out) {
        Topology topology = next.topology(view.array(), view.assumed().stripes());
        Plan plan = Planner.plan(topology, next.target(), MOVES_AT_ONCE);
        if (json) {
            out.print(new Figures()
                    .put("version", next.version())
                    .put("dry_run", dryRun)
                    .put("plan", Figures.parse(PlanForm.json(plan)))
                    .toPrettyJson());
        } else {
            PlanForm.lines(plan).forEach(out::println);
            if (!view.missing().isEmpty()) {
                out.println("stripes " + view.missing() + " have no leader, or are changing: their plans stay");
            }
        }
        boolean changes = !next.withVersion(view.record().version()).equals(view.record());
        if (!dryRun && changes) {
            propose(view, next);
        }
        if (!json) {
            out.println(said(next, changes));
        }
    }

    private String said(ArrayRecord next, boolean changes) {
        if (dryRun) {
            return "dry run: nothing was changed";
        }
        return changes
                ? "version " + next.version() + ": the leaders of the stripes do these steps; see larder array status"
                : "nothing to do: the plan of the array is the same already";
    }

    /** Makes the members of stripe 0 agree on the next record. */
    void propose(ArrayView view, ArrayRecord next) {
        view.propose(description(), access.access(), next);
    }

    /** Rewrites the file with other nodes, unless this is a dry run. */
    void rewrite(UnaryOperator<SortedMap<Integer, NodeAddresses>> change) {
        if (!dryRun) {
            ArrayDescription before = description();
            before.withNodes(change.apply(new TreeMap<>(before.nodes()))).replace(file);
        }
    }

    /** Prints lines, or fields in JSON. */
    void tell(PrintStream out, Figures figures, List<String> lines) {
        if (json) {
            out.print(figures.put("dry_run", dryRun).toPrettyJson());
        } else {
            lines.forEach(out::println);
        }
    }
}
