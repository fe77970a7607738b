package dev.larder.arraycli;

import dev.larder.array.ArrayNode;
import dev.larder.array.ArrayOptions;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Creates the folder of a node. */
@Command(
        name = "create",
        description = "Makes the folder of a node, once. Never make a node again that has lost its files: its votes "
                + "and acknowledgements are lost too.",
        mixinStandardHelpOptions = true,
        footer = {ExitCode.EXAMPLES, "  larder array create array.properties --node 0 node0", ExitCode.HELP})
final class NodeCreateCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private NodeArguments arguments = new NodeArguments();

    @Override
    public Integer call() {
        ArrayOptions options = arguments.options();
        arguments.requireEmptyBeginning();
        ArrayNode.create(options);
        Larder.streams(command).out().println("created node " + options.node() + " of array " + options.array());
        return ExitCode.OK;
    }
}
