package dev.larder.arraycli;

import dev.larder.arraycli.demo.DemoCommand;
import dev.larder.cli.CommandProvider;
import dev.larder.cli.HostAndPort;
import dev.larder.cli.Larder;
import dev.larder.serve.ParameterOptions;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;

/** Provides the command {@code larder array}. */
public final class ArrayCommands implements CommandProvider {

    /** Parameters that the description sets, or that a node does not use. */
    private static final Set<String> NO_OPTIONS = Set.of("bind", "cluster-enabled", "databases", "dir", "port");

    /** Called by the service loader. */
    public ArrayCommands() {}

    @Override
    public CommandLine command() {
        List<Map.Entry<String, String>> given = new ArrayList<>();
        CommandLine serve = new CommandLine(new NodeServeCommand(given));
        ParameterOptions.add(serve.getCommandSpec(), NO_OPTIONS, given);
        return new CommandLine(new ArrayCommand())
                .addSubcommand(new InitCommand())
                .addSubcommand(new NodeCreateCommand())
                .addSubcommand(serve)
                .addSubcommand(new StatusCommand())
                .addSubcommand(new AddNodeCommand())
                .addSubcommand(new RemoveNodeCommand())
                .addSubcommand(new MoveCommand())
                .addSubcommand(new PlanCommand())
                .addSubcommand(new RebalanceCommand())
                .addSubcommand(new UpgradeCommand())
                .addSubcommand(new BackupCommand())
                .addSubcommand(new RestoreCommand())
                .addSubcommand(new DemoCommand())
                .registerConverter(InetSocketAddress.class, Larder.converter(HostAndPort::parse));
    }
}
