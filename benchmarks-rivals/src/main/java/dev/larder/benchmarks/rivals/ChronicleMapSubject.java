package dev.larder.benchmarks.rivals;

import dev.larder.cli.Figures;
import dev.larder.lab.map.MapShape;
import dev.larder.lab.map.MapSubject;
import java.io.IOException;
import java.nio.file.Path;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Chronicle Map under test, in a file, configured with its most entries and the size of each value. A get reuses the given
 * array.
 */
final class ChronicleMapSubject implements MapSubject {

    private @Nullable ChronicleMap<Long, byte[]> map;

    @Override
    public Figures open(Path directory, MapShape shape) throws IOException {
        map = ChronicleMapBuilder.of(Long.class, byte[].class)
                .name("lab")
                .entries(shape.mostEntries())
                .constantValueSizeBySample(new byte[shape.valueBytes()])
                .putReturnsNull(true)
                .removeReturnsNull(false)
                .createPersistedTo(directory.resolve("map.dat").toFile());
        return new Figures()
                .put("entries", "told: " + shape.mostEntries())
                .put("values", "constant size, putReturnsNull, getUsing")
                .put("survives", "the process; it has no sync of its own");
    }

    @Override
    public void put(long key, byte[] value) {
        OpenSubject.of(map).put(key, value);
    }

    /** Reads the value, in most cases directly into the given array. */
    @Override
    @SuppressWarnings("ReferenceEquality") // the same array, not an equal one
    public boolean get(long key, byte[] into) {
        byte[] value = OpenSubject.of(map).getUsing(key, into);
        if (value != null && value != into) {
            System.arraycopy(value, 0, into, 0, into.length);
        }
        return value != null;
    }

    @Override
    public boolean remove(long key) {
        return OpenSubject.of(map).remove(key) != null;
    }

    @Override
    public boolean isPersistent() {
        return true;
    }

    @Override
    public void close() {
        OpenSubject.of(map).close();
    }
}
