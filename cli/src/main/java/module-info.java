import org.jspecify.annotations.NullMarked;

/** The larder command, to which other modules add their commands as a {@link dev.larder.cli.CommandProvider}. */
@NullMarked
module dev.larder.cli {
    requires dev.larder.codec;
    requires dev.larder.map;
    requires dev.larder.queue;
    requires transitive info.picocli;
    requires org.jline.reader;
    requires org.jline.terminal;
    requires tools.jackson.core;
    requires tools.jackson.jr.ob;
    requires static transitive org.jspecify;

    exports dev.larder.cli;

    // the parser sets the fields of commands
    opens dev.larder.cli to
            info.picocli;
    opens dev.larder.cli.entry to
            info.picocli;
    opens dev.larder.cli.map to
            info.picocli;
    opens dev.larder.cli.queue to
            info.picocli;
    opens dev.larder.cli.shell to
            info.picocli;
    opens dev.larder.cli.top to
            info.picocli;

    uses dev.larder.cli.CommandProvider;

    provides dev.larder.cli.CommandProvider with
            dev.larder.cli.map.MapCommand,
            dev.larder.cli.queue.QueueCommand,
            dev.larder.cli.top.TopCommand;
}
