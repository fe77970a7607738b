import org.jspecify.annotations.NullMarked;

/** The programs that the tests with several processes start. Never published. */
@NullMarked
module dev.larder.tests.durability {
    requires java.compiler;
    requires dev.larder.map;
    requires dev.larder.queue;
    requires jdk.jfr;
    requires jdk.management;
    requires static org.jspecify;
}
