package dev.larder.cli.entry;

import dev.larder.map.MapTypes;
import picocli.CommandLine.Option;

/** The options for the form of keys and values. */
public final class EntryForms {

    /** The help of a key. */
    public static final String KEY = "The key, in the form of --keys. Write -- before a key that begins with -.";

    private static final String FORMS =
            "text, hex, base64, int, long, double, or record (a record's name and JSON). The default "
                    + "is the form of the map's codec. Every map takes hex and base64, and a map of bytes takes "
                    + "all.";

    @Option(
            names = {"-k", "--keys"},
            paramLabel = "FORM",
            description = "The form of keys: " + FORMS)
    private ByteForm keys = ByteForm.AUTO;

    @Option(
            names = {"-w", "--values"},
            paramLabel = "FORM",
            description = "The form of values, as --keys.")
    private ByteForm values = ByteForm.AUTO;

    /** Returns the keys of a map of these types. */
    public EntryForm keys(MapTypes types, EntryText text) {
        return new EntryForm("key", types.keyCodec(), keys, text);
    }

    /** Returns the values of a map of these types. */
    public EntryForm values(MapTypes types, EntryText text) {
        return new EntryForm("value", types.valueCodec(), values, text);
    }
}
