import org.jspecify.annotations.NullMarked;

/** The larder command, to which other modules add theirs as a {@link dev.larder.cli.CommandProvider}. */
@NullMarked
module dev.larder.cli {
    requires dev.larder.codec;
    requires dev.larder.map;
    requires dev.larder.queue;
    requires transitive info.picocli;
    requires org.jline.reader;
    requires org.jline.terminal;
    requires tools.jackson.jr.ob;
    requires static transitive org.jspecify;

    exports dev.larder.cli;

    opens dev.larder.cli to
            info.picocli;

    uses dev.larder.cli.CommandProvider;
}
