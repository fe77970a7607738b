package dev.larder.cli;

import dev.larder.memory.LarderException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Stands for {@code larder serve} where the server is not installed, and says how to get it. */
@Command(
        name = MissingServer.NAME,
        description = "Starts a server in Redis' protocol. Not installed here; larder serve says how.")
final class MissingServer implements Callable<Integer> {

    static final String NAME = "serve";

    @SuppressWarnings("UnusedVariable") // taken, so that the parser does not refuse them
    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() {
        throw new LarderException(
                "the server is not installed: unpack larder-server-VERSION.zip beside larder-VERSION.zip, of"
                        + " the same version, or run ./larder serve from a clone");
    }
}
