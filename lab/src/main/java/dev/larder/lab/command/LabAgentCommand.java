package dev.larder.lab.command;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.cli.Streams;
import dev.larder.lab.agent.Agent;
import dev.larder.lab.agent.AgentAddress;
import dev.larder.lab.redis.LoadExperiment;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Plays a part of an experiment for a conductor on another host. */
@Command(
        name = "agent",
        description = {
            "Plays the generator, or a target of ours, for an experiment that is conducted on another host.",
            "Prints TOKEN@HOST:PORT, which the experiment takes as --generator or --target-agent, and serves until it"
                + " is ended (Ctrl-C). It starts our own processes only, for whoever knows the token. What is said is"
                + " not encrypted: on a network that is not yours, use an SSH tunnel."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = ExitCode.HELP)
final class LabAgentCommand implements Callable<Integer> {

    private static final Pattern ADDRESS = Pattern.compile("\\[?([^\\[\\]@]+?)]?:(\\d{1,5})");

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where to listen; a port of 0 is a free one (${DEFAULT-VALUE}).")
    private String listen = "127.0.0.1:0";

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where responses and logs are left (${DEFAULT-VALUE}).")
    private Path directory = Path.of("lab-agent");

    @Override
    public Integer call() {
        Streams streams = Larder.streams(command);
        String token = token();
        InetSocketAddress address = address();
        try (Agent agent = new Agent(
                address,
                token,
                directory,
                LoadExperiment.parts(),
                line -> streams.err().println(line))) {
            String host = listen.substring(0, listen.lastIndexOf(':'));
            streams.out().println(token + "@" + host + ":" + agent.port());
            streams.out().flush();
            agent.serve();
        }
        return ExitCode.OK;
    }

    /** One of the user's own stays the same from run to run. */
    private static String token() {
        @Nullable String own = System.getenv(AgentAddress.TOKEN_VARIABLE);
        return own == null || own.isBlank() ? Agent.newToken() : own;
    }

    private InetSocketAddress address() {
        Matcher matcher = ADDRESS.matcher(listen);
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > 65_535) {
            throw new ParameterException(
                    command.commandLine(), "--listen " + listen + " is not HOST:PORT, such as 127.0.0.1:0");
        }
        return new InetSocketAddress(matcher.group(1), Integer.parseInt(matcher.group(2)));
    }
}
