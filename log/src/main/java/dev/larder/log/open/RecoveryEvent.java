package dev.larder.log.open;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A log was opened by the first process after a crash or a power loss, or with damage that could be mended. */
@Name("dev.larder.Recovery")
@Label("Log Recovery")
@Category("Larder")
final class RecoveryEvent extends Event {

    @Label("Directory")
    String directory = "";

    @Label("Found")
    String found = "";

    void tell(Path log, String what) {
        directory = log.toString();
        found = what;
        commit();
    }
}
