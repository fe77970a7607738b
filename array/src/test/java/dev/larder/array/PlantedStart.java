package dev.larder.array;

import dev.larder.array.node.ArrayFile;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicBoolean;

/** A defect: a node that starts in an empty folder makes the missing files, as if new. It replaces a method of ArrayNode. */
public final class PlantedStart {

    private static final AtomicBoolean MAKES = new AtomicBoolean();

    private PlantedStart() {}

    /** Makes the files of a folder that has none, once. Returns the content of its array file. */
    public static ArrayFile file(ArrayOptions options) {
        if (!Files.exists(options.directory().resolve("array.ctl")) && MAKES.compareAndSet(false, true)) {
            ArrayNode.create(options);
        }
        return new ArrayFile(
                options.array(), options.node(), options.stripes(), options.segmentBytes(), options.valuesOnce());
    }
}
