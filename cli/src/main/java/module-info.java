import org.jspecify.annotations.NullMarked;

/** The larder command. */
@NullMarked
module dev.larder.cli {
    requires dev.larder.lab;
    requires dev.larder.map;
    requires dev.larder.queue;
    requires info.picocli;
    requires tools.jackson.jr.ob;
    requires static org.jspecify;

    opens dev.larder.cli to
            info.picocli;
}
