package dev.larder.cli.entry;

import dev.larder.codec.ValueCodec;
import dev.larder.map.MapTypes;
import dev.larder.memory.LarderException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name the codecs of a new map. */
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

    /** Returns whether at least one name was given. */
    public boolean areGiven() {
        return keys != null || values != null;
    }

    /** Returns the given names, and text in place of a missing one. */
    public MapTypes orText() {
        String text = ValueCodec.texts().name();
        return or(new MapTypes(text, text));
    }

    /** Returns the given names, and the names of {@code others} in place of missing ones. */
    public MapTypes or(MapTypes others) {
        try {
            return new MapTypes(keys == null ? others.keyCodec() : keys, values == null ? others.valueCodec() : values);
        } catch (IllegalArgumentException e) {
            throw new LarderException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Throws if a given name is not the map's. */
    public MapTypes require(MapTypes stored) {
        MapTypes asked = or(stored);
        if (!asked.equals(stored)) {
            throw new LarderException("the map stores " + stored + ", not " + asked);
        }
        return stored;
    }
}
