package dev.larder.arraycli;

import dev.larder.array.ArrayOptions;
import dev.larder.arraycli.state.ArrayDescription;
import dev.larder.memory.LarderException;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which node of which array a command is about. */
final class NodeArguments {

    @Parameters(index = "0", paramLabel = "FILE", description = "The file that describes the array.")
    private Path file = Path.of("");

    @Parameters(index = "1", paramLabel = "DIRECTORY", description = "The folder of the node.")
    private Path directory = Path.of("");

    @Option(
            names = "--node",
            paramLabel = "NUMBER",
            required = true,
            description = "The number of the node in the file.")
    private int node;

    /** Reads the file, and returns the options of the node. */
    ArrayOptions options() {
        ArrayDescription description = ArrayDescription.read(file);
        try {
            return description.options(node, directory);
        } catch (LarderException e) {
            throw new LarderException(file + ": " + e.getMessage(), e);
        }
    }

    Path directory() {
        return directory;
    }
}
