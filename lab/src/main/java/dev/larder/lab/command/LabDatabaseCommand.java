package dev.larder.lab.command;

import dev.larder.cli.ByteCount;
import dev.larder.cli.ExitCode;
import dev.larder.cli.ItemCount;
import dev.larder.cli.Larder;
import dev.larder.lab.database.DatabaseExperiment;
import dev.larder.lab.database.DatabaseOptions;
import dev.larder.lab.database.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures a mapped log beside databases. */
@Command(
        name = "database",
        description = {
            "A mapped log beside databases, for a million records.",
            "Inserts records of 1 KiB into a Larder queue and map, SQLite, H2 and PostgreSQL, makes them durable,"
                    + " reads all of them back and looks some up; each store in a child process, with the settings that"
                    + " its documentation recommends, at the same durability."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = ExitCode.HELP)
final class LabDatabaseCommand implements Callable<Integer> {

    private static final int MILLION = 1_000_000;
    private static final int QUICK_RECORDS = 50_000;

    /** Which durabilities are measured. */
    enum Durabilities {
        COMMIT,
        END,
        BOTH;

        List<Durability> each() {
            return switch (this) {
                case COMMIT -> List.of(Durability.COMMIT);
                case END -> List.of(Durability.END);
                case BOTH -> List.of(Durability.COMMIT, Durability.END);
            };
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Option(names = "--records", paramLabel = "COUNT", description = "Inserted into each store (1M).")
    private @Nullable ItemCount records;

    @Option(names = "--record", paramLabel = "SIZE", description = "The size of a record (1KiB).")
    private ByteCount record = new ByteCount(1024);

    @Option(
            names = "--durability",
            paramLabel = "WHEN",
            description = "commit: each commit is durable when it returns; end: all is made durable once, at the end;"
                    + " both (${DEFAULT-VALUE}).")
    private Durabilities durability = Durabilities.BOTH;

    @Option(names = "--commit-every", paramLabel = "COUNT", description = "The records of a commit (10k).")
    private ItemCount commitEvery = new ItemCount(10_000);

    @Option(names = "--queries", paramLabel = "COUNT", description = "Random queries by number (100k).")
    private @Nullable ItemCount queries;

    @Option(
            names = "--writes",
            paramLabel = "PERCENT",
            split = ",",
            description = "Replacements among as many operations as there are queries, each share on its own"
                    + " (0,10,50,100; with --quick none).")
    private List<Integer> writes = new ArrayList<>();

    @Option(
            names = "--new-keys",
            paramLabel = "PERCENT",
            description = "Of what --writes writes: records that are not there yet; the others are replaced (0).")
    private int newKeys;

    @Option(names = "--rounds", paramLabel = "COUNT", description = "Rounds in which stores take turns (3).")
    private @Nullable Integer rounds;

    @Option(
            names = "--warm-up",
            paramLabel = "COUNT",
            description = "Records of a small store that each child fills, reads and deletes first (50k).")
    private @Nullable ItemCount warmUp;

    @Option(
            names = "--stores",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Of larder, larder-map, file (the machine's own limit), sqlite, h2, postgres; all that are there.")
    private List<String> stores = new ArrayList<>();

    @Option(
            names = "--postgres",
            paramLabel = "start|URL",
            description = "Takes PostgreSQL in: start starts a private server for the run, from the programs of this"
                    + " machine; a JDBC URL uses one that runs.")
    private @Nullable String postgres;

    @Option(names = "--directory", paramLabel = "DIR", description = "Where the data goes (the result folder).")
    private @Nullable Path directory;

    @Mixin
    private LabArguments arguments = new LabArguments();

    @Override
    public Integer call() {
        return arguments.run(new DatabaseExperiment(options()), Larder.streams(command));
    }

    private DatabaseOptions options() {
        try {
            boolean quick = arguments.quick();
            return new DatabaseOptions(
                    inserts(quick),
                    durability.each(),
                    new DatabaseOptions.Queries(
                            or(queries, quick ? 10_000 : 100_000),
                            writes.isEmpty() && !quick ? List.of(0, 10, 50, 100) : writes,
                            newKeys),
                    rounds == null ? (quick ? 1 : 3) : rounds,
                    stores,
                    postgres,
                    directory,
                    arguments.seed(),
                    arguments.keep());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private DatabaseOptions.Inserts inserts(boolean quick) {
        long count = or(records, quick ? QUICK_RECORDS : MILLION);
        return new DatabaseOptions.Inserts(
                count,
                Math.toIntExact(record.bytes()),
                commitEvery.items(),
                or(warmUp, Math.min(count, quick ? 20_000 : QUICK_RECORDS)));
    }

    private static long or(@Nullable ItemCount given, long standard) {
        return given == null ? standard : given.items();
    }
}
