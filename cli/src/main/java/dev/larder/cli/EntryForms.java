package dev.larder.cli;

import picocli.CommandLine.Option;

/** How keys and values are written. */
final class EntryForms {

    /** The help of a key. */
    static final String KEY = "The key, as --keys says. Where it begins with -, write -- before it, after all options.";

    private static final String FORMS =
            "text, hex, base64, int, long, double, or record: the name of a record and JSON,"
                    + " by the schema that the map has (auto: text given; told as what they seem to be).";

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

    ByteForm keys() {
        return keys;
    }

    ByteForm values() {
        return values;
    }
}
