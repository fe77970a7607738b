package dev.larder.cli.entry;

import dev.larder.codec.ValueCodec;
import dev.larder.map.MapTypes;
import dev.larder.memory.LarderException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The names of the codecs that a new map gets. */
public final class CodecNames {

    private static final String NAMES =
            "text, bytes, int, long, double, record:NAME for a Java record, records:NAME for a sealed interface, "
                    + "record for any record, or the name of your own codec (text).";

    @Option(
            names = {"-k", "--keys"},
            paramLabel = "CODEC",
            description = "The codec of the keys: " + NAMES)
    private @Nullable String keys;

    @Option(
            names = {"-w", "--values"},
            paramLabel = "CODEC",
            description = "The codec of the values, as --keys.")
    private @Nullable String values;

    /** Returns whether one was given. */
    public boolean areGiven() {
        return keys != null || values != null;
    }

    /** Returns the names that were given, and text for one that was not. */
    public MapTypes orText() {
        String text = ValueCodec.texts().name();
        return or(new MapTypes(text, text));
    }

    /** Returns the names that were given, and others in place of those that were not. */
    public MapTypes or(MapTypes others) {
        try {
            return new MapTypes(keys == null ? others.keyCodec() : keys, values == null ? others.valueCodec() : values);
        } catch (IllegalArgumentException e) {
            throw new LarderException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Throws where a name was given that is not the map's. */
    public MapTypes require(MapTypes stored) {
        MapTypes asked = or(stored);
        if (!asked.equals(stored)) {
            throw new LarderException("the map stores " + stored + ", not " + asked);
        }
        return stored;
    }
}
