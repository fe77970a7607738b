import org.jspecify.annotations.NullMarked;

/** What no single module owns: the programs that tests start as processes of their own. Never published. */
@NullMarked
module dev.larder.tests {
    requires java.compiler;
    requires dev.larder.map;
    requires dev.larder.queue;
    requires jdk.jfr;
    requires jdk.management;
    requires static org.jspecify;
}
