package dev.larder.arraycli;

import dev.larder.array.ArrayBackup;
import dev.larder.arraycli.state.ArrayDescription;
import dev.larder.arraycli.state.ArrayView;
import dev.larder.arraycli.state.BackupSource;
import dev.larder.arraycli.state.NodeAccess;
import dev.larder.cli.ByteRate;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies the stores of all stripes. */
@Command(
        name = "backup",
        description = "Copies the store of each stripe from its leader, while clients continue. The copy has every "
                + "write that was acknowledged before the backup began. Different stripes are copied as of different "
                + "moments.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            AccessArguments.PASSWORD,
            ExitCode.EXAMPLES,
            "  larder array backup array.properties /backups/monday",
            ExitCode.HELP
        })
final class BackupCommand implements Callable<Integer> {

    private static final long RATE_LEAST = 1L << 20;
    private static final long RATE_MOST = 64L << 30;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "FILE", description = "The file that describes the array.")
    private Path file = Path.of("");

    @Parameters(index = "1", paramLabel = "TO", description = "The folder of the backup. It must not exist yet.")
    private Path to = Path.of("");

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            defaultValue = "64MiB/s",
            description = "The highest rate at which the command copies files, 1MiB/s to 64GiB/s (${DEFAULT-VALUE}).")
    private ByteRate rate = new ByteRate(0);

    @Mixin
    private AccessArguments access = new AccessArguments();

    @Override
    public Integer call() throws InterruptedException {
        requireRate();
        ArrayDescription description = ArrayDescription.read(file);
        NodeAccess nodes = access.access(); // an error of an argument must leave no folder
        ArrayView.requireNoOther(description, nodes);
        PrintStream out = Larder.streams(command).out();
        try {
            Files.createDirectory(to, ownerAlone());
        } catch (IOException e) {
            throw new StorageException(to + ": cannot be made: " + e, e);
        }
        ArrayBackup backup = new ArrayBackup(
                to,
                UUID.randomUUID(),
                description.array(),
                description.stripes(),
                description.segmentBytes(),
                description.valuesOnce());
        try (BackupSource source = new BackupSource(description, nodes)) {
            for (int stripe = 0; stripe < description.stripes(); stripe++) {
                int number = stripe;
                int files = backup.pull(number, source, () -> source.leaders(number), rate.bytesPerSecond());
                out.println("stripe " + number + ": " + files + " files, all checked");
                out.flush();
            }
        }
        backup.finish();
        out.println(to + ": a backup of " + description.stripes() + " stripes of array " + description.array());
        return ExitCode.OK;
    }

    /** A rate of 0 would never end, and a slower one than the least looks like it. */
    private void requireRate() {
        long bytes = rate.bytesPerSecond();
        if (bytes < RATE_LEAST || bytes > RATE_MOST) {
            throw new ParameterException(
                    command.commandLine(), "--rate: " + bytes + " is not within " + RATE_LEAST + " and " + RATE_MOST);
        }
    }

    /** Returns permissions for the owner alone: files that hold keys and values are pulled into the folder. */
    private FileAttribute<?>[] ownerAlone() {
        return to.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
    }
}
