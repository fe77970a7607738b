package dev.larder.array;

import dev.larder.array.node.ArrayFile;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicBoolean;

/** A defect: a node that starts in an empty folder makes what is missing, as if it were new. It stands in place of a method of ArrayNode. */
public final class PlantedStart {

    private static final AtomicBoolean MAKES = new AtomicBoolean();

    private PlantedStart() {}

    /** Returns whose files a folder is to hold, once they are there. */
    public static ArrayFile file(ArrayOptions options) {
        if (!Files.exists(options.directory().resolve("array.ctl")) && MAKES.compareAndSet(false, true)) {
            ArrayNode.create(options);
        }
        return new ArrayFile(
                options.array(), options.node(), options.stripes(), options.segmentBytes(), options.valuesOnce());
    }
}
