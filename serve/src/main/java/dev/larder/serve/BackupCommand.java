package dev.larder.serve;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.server.Backup;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a running server write a backup, and checks it. */
@Command(
        name = "backup",
        description = "Tells a running server on this host to write a backup of one moment. Then checks the files.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Clients continue during the backup. The server creates the folder, which needs room for all data. The"
                + " command takes a password from the environment variable LARDER_PASSWORD, and its user's name from"
                + " LARDER_USER.",
            ExitCode.EXAMPLES,
            "  larder backup /backups/monday",
            "  larder backup /backups/monday --port 6380 --tls-ca-cert-file ca.crt",
            "  larder restore /backups/monday data",
            ExitCode.HELP
        })
final class BackupCommand implements Callable<Integer> {

    private static final int POLL_MILLIS = 100;
    private static final int PORT_MAX = 65_535;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Parameters(paramLabel = "TO", description = "The folder of the backup. It must not exist yet.")
    private Path to = Path.of("");

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Where the server listens, for TLS clients if TLS is used (6379).")
    private int port = 6379;

    @Mixin
    private TlsArguments tls = new TlsArguments();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (port < 1 || port > PORT_MAX) {
            throw new ParameterException(command.commandLine(), "--port " + port + " is not between 1 and " + PORT_MAX);
        }
        SocketFactory sockets = tls.tls().<SocketFactory>map(secured -> secured).orElseGet(SocketFactory::getDefault);
        PrintStream out = Larder.streams(command).out();
        PrintStream err = Larder.streams(command).err();
        Path folder = to.toAbsolutePath().normalize();
        try (ServerClient client = new ServerClient(sockets, port)) {
            authenticate(client, System.getenv("LARDER_USER"), System.getenv("LARDER_PASSWORD"));
            client.call("BGSAVE", "TO", folder.toString());
            while (client.call("INFO", "persistence").contains("rdb_bgsave_in_progress:1")) {
                Thread.sleep(POLL_MILLIS);
            }
            if (!client.call("INFO", "persistence").contains("rdb_last_bgsave_status:ok")) {
                err.println("larder: " + folder + ": the server could not write the backup; its log says why");
                return ExitCode.ERROR;
            }
            out.println(folder + ": a backup of " + Backup.verify(folder) + " files, all checked");
            out.flush();
            return ExitCode.OK;
        }
    }

    private static void authenticate(ServerClient client, @Nullable String user, @Nullable String password) {
        if (password != null && user != null) {
            client.call("AUTH", user, password);
        } else if (password != null) {
            client.call("AUTH", password);
        }
    }
}
