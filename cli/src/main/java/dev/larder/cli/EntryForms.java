package dev.larder.cli;

import dev.larder.map.MapTypes;
import picocli.CommandLine.Option;

/** How keys and values are written. */
final class EntryForms {

    /** The help of a key. */
    static final String KEY = "The key, as --keys says. Where it begins with -, write -- before it, after all options.";

    private static final String FORMS =
            "text, hex, base64, int, long, double, or record: the name of a record and JSON,"
                    + " by the schema that the map has. Not given: as the map's"
                    + " codec says. Another one is refused, but hex and base64 (and any, of a map of bytes).";

    @Option(
            names = {"-k", "--keys"},
            paramLabel = "FORM",
            description = "What keys are: " + FORMS)
    private ByteForm keys = ByteForm.AUTO;

    @Option(
            names = {"-w", "--values"},
            paramLabel = "FORM",
            description = "What values are: as --keys.")
    private ByteForm values = ByteForm.AUTO;

    /** Returns the keys of a map of these types. */
    EntryForm keys(MapTypes types, EntryText text) {
        return new EntryForm("key", types.keyCodec(), keys, text);
    }

    /** Returns the values of a map of these types. */
    EntryForm values(MapTypes types, EntryText text) {
        return new EntryForm("value", types.valueCodec(), values, text);
    }
}
