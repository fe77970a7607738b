package dev.larder.cli;

import dev.larder.memory.LarderException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Stands for {@code larder lab} where the lab is not installed, and says how to get it. */
@Command(
        name = MissingLab.NAME,
        description = "Runs experiments: every claim is a command. Not installed here; larder lab says how.")
final class MissingLab implements Callable<Integer> {

    static final String NAME = "lab";

    @SuppressWarnings("UnusedVariable") // taken, so that the parser does not refuse them
    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() {
        throw new LarderException(
                "the lab is not installed: unpack larder-lab-VERSION.zip beside larder-VERSION.zip, of"
                        + " the same version, or run ./larder lab from a clone");
    }
}
