package dev.larder.arraycli.demo;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows a failover on this host. */
@Command(
        name = "demo",
        description =
                "Starts three nodes on this host, loads them, kills one, and restarts it. Prints and plots what the "
                        + "clients see each second. Takes about a minute, and removes the nodes and their files.",
        mixinStandardHelpOptions = true,
        footer = {
            ExitCode.EXAMPLES,
            "  larder array demo",
            "  larder array demo --quick --plot failover.svg",
            ExitCode.HELP
        })
public final class DemoCommand implements Callable<Integer> {

    private static final int NODES = 3;
    private static final int STRIPES = 3;
    private static final long SEGMENT_BYTES = 16 << 20;
    private static final Demo.Course WHOLE = new Demo.Course(4000, 10, 15, 20);
    private static final Demo.Course QUICK = new Demo.Course(400, 2, 6, 6);

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Where to write the picture, as SVG (array-demo.svg). An existing file is replaced.")
    private Path plot = Path.of("array-demo.svg");

    @Option(names = "--quick", description = "Take a quarter of the time.")
    private boolean quick;

    /** The command, for the parser. */
    public DemoCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        PrintStream out = Larder.streams(command).out();
        try (DemoNodes nodes = new DemoNodes(NODES, STRIPES, SEGMENT_BYTES)) {
            Thread cleaning = new Thread(nodes::close, "larder-stop"); // Ctrl-C
            Runtime.getRuntime().addShutdownHook(cleaning);
            out.println("starting " + NODES + " nodes with " + STRIPES + " stripes in " + nodes.directory());
            out.flush();
            nodes.startAll();
            try (LeaderWatch watch = new LeaderWatch(nodes.description())) {
                Demo.awaitStart(nodes, watch);
                return run(nodes, watch, out);
            }
        }
    }

    private int run(DemoNodes nodes, LeaderWatch watch, PrintStream out) throws InterruptedException {
        Demo.Course course = quick ? QUICK : WHOLE;
        try (DemoLoad load = new DemoLoad(nodes.description(), course.keys())) {
            Timeline timeline = new Demo(nodes, load, watch, out).run(course);
            load.stopAndVerify();
            write(TimelinePlot.svg(timeline));
            Tally.Counts counts = load.counts();
            out.printf(
                    Locale.ROOT,
                    "%d operations, %d attempts retried, %d errors, longest wait %.1f s%n",
                    counts.operations(),
                    counts.retries(),
                    counts.errors(),
                    timeline.longestMillis() / 1000);
            out.println(
                    counts.wrong() == 0
                            ? "each read returned the last acknowledged value"
                            : counts.wrong() + " reads did not return the last acknowledged value");
            out.println("wrote " + plot);
            return counts.errors() + counts.wrong() == 0 ? ExitCode.OK : ExitCode.INVALID;
        }
    }

    private void write(String svg) {
        try {
            Files.writeString(plot, svg);
        } catch (IOException e) {
            throw new StorageException("cannot write " + plot + ": " + e, e);
        }
    }
}
