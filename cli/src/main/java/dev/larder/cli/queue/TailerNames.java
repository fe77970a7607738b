package dev.larder.cli.queue;

import dev.larder.memory.LarderException;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.TailerInfo;
import java.nio.file.Path;
import java.util.List;

/** The names of a queue's tailers, for commands that must not create a tailer by a mistyped name. */
final class TailerNames {

    private TailerNames() {}

    /** Throws if there is no tailer of a name. The error lists the existing ones. */
    static void require(LarderQueue queue, String name, Path directory) {
        List<String> names = queue.tailers().stream().map(TailerInfo::name).toList();
        if (!names.contains(name)) {
            throw new LarderException("there is no tailer \"" + name + "\" in " + directory + "; there are: "
                    + (names.isEmpty() ? "none" : String.join(", ", names)));
        }
    }
}
