package dev.larder.lab.buffers;

import dev.larder.cli.Figures;
import dev.larder.lab.process.ChildLoop;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The child process that creates and fills buffers: one for each kind, so that its code is compiled for it alone.
 *
 * <p>Commands: {@code round}; {@code leave} a region behind, {@code find} one, {@code transfer} one into a file.
 */
public final class BuffersChild {

    private BuffersChild() {}

    /** Serves the parent; the arguments are the directory and the prefix of the names of blocks. */
    public static void main(String[] arguments) throws IOException {
        loop(names(arguments)).serve();
    }

    static BlockNames names(String[] arguments) {
        return new BlockNames(Path.of(arguments[0]), arguments[1]);
    }

    static ChildLoop loop(BlockNames names) {
        BufferProof proof = new BufferProof(names);
        return new ChildLoop()
                .on("round", question -> round(names, question))
                .on("leave", proof::leave)
                .on("find", proof::find)
                .on("transfer", proof::transfer);
    }

    private static Figures round(BlockNames names, Figures question) {
        BufferRound round = new BufferRound(names, question);
        Figures used = round.run();
        return round.times().putAll(used);
    }
}
