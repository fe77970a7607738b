package dev.larder.cli.queue;

import dev.larder.cli.GivenDirectory;
import dev.larder.cli.Larder;
import dev.larder.cli.SegmentFiles;
import dev.larder.log.LogOptions;
import dev.larder.map.StoredMap;
import dev.larder.memory.LarderException;
import dev.larder.queue.LarderQueue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The arguments of every queue command: the directory of the queue, and whether the answer is JSON. */
public final class QueueArguments {

    private static final String CONTROL_FILE = "log.ctl";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Parameters(index = "0", paramLabel = Larder.DIRECTORY, description = "The directory of the queue.")
    private Path directory = Path.of("");

    @Option(names = "--json", description = "Answer in JSON.")
    private boolean json;

    @Option(names = "--allow-remote", description = "Accept network, FUSE and 9p mounts, at your own risk.")
    private boolean allowRemote;

    /** Returns the directory of the given queue, or of the queue that a shell has open. */
    Path directory() {
        return shell().map(OpenQueue::directory).orElse(directory);
    }

    private Optional<OpenQueue> shell() {
        return command.root().userObject() instanceof Larder
                ? Larder.session(command).open(OpenQueue.class)
                : Optional.empty();
    }

    boolean json() {
        return json;
    }

    /** Returns options for one command: no space is prepared ahead, so that a small queue stays small. */
    public LogOptions options() {
        return LogOptions.defaults().withAllowRemote(allowRemote).withPrepareBytes(0);
    }

    /** Opens an existing queue. Neither a mistyped name nor a directory of other files creates a queue. */
    OpenQueue open(LogOptions options) {
        return shell().orElseGet(() -> opened(options));
    }

    /** Opens an existing queue without changing a byte. */
    OpenQueue openToRead() {
        return open(options().withReadOnly(true));
    }

    /** Opens an existing queue for appending, or only for reading if this process may not write. */
    OpenQueue openAsFarAsAllowed() {
        return open(options().withReadOnly(!Files.isWritable(directory.resolve(CONTROL_FILE))));
    }

    private OpenQueue opened(LogOptions options) {
        GivenDirectory.refuseFile(directory);
        if (!holdsFiles()) {
            throw new LarderException(
                    "there is no queue in " + directory + "; make one: larder queue create " + directory);
        }
        refuseForeign();
        LarderQueue queue = LarderQueue.open(directory, options);
        return new OpenQueue(directory, queue, options.access().readOnly(), false);
    }

    /** Opens a queue, or creates it in an empty or missing directory. */
    LarderQueue openOrCreate(LogOptions options) {
        if (holdsFiles()) {
            refuseForeign();
        }
        return LarderQueue.open(directory, options);
    }

    void refuseMap() {
        refuseMap(directory);
    }

    /** Throws for the directory of a map. The log of a map looks like a queue's, but its records are not messages. */
    static void refuseMap(Path directory) {
        if (StoredMap.isIn(directory)) {
            throw new LarderException(
                    "there is no queue in " + directory + ": it holds a map, which has commands of its"
                            + " own, as larder map verify and larder map repair");
        }
    }

    private void refuseForeign() {
        refuseMap();
        if (!Files.exists(directory.resolve(CONTROL_FILE))) {
            throw new LarderException("there is no queue in " + directory + ": it has no " + CONTROL_FILE
                    + (SegmentFiles.areIn(directory)
                            ? "; 'larder queue repair' saves the messages of its segments"
                            : ""));
        }
    }

    /** Returns whether the directory is not empty. */
    boolean holdsFiles() {
        return GivenDirectory.holdsFiles(directory);
    }
}
