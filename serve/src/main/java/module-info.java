import org.jspecify.annotations.NullMarked;

/** The command {@code larder serve}, which starts a server. */
@NullMarked
module dev.larder.serve {
    requires dev.larder.cli;
    requires dev.larder.memory;
    requires dev.larder.queue;
    requires dev.larder.server;
    requires static org.jspecify;

    opens dev.larder.serve to
            info.picocli;

    provides dev.larder.cli.CommandProvider with
            dev.larder.serve.BackupCommands,
            dev.larder.serve.ConfigurationCommands,
            dev.larder.serve.RestoreCommands,
            dev.larder.serve.ServeCommands;
}
