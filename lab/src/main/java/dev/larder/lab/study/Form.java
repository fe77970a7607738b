package dev.larder.lab.study;

import dev.larder.cli.ByteRate;
import dev.larder.cli.ByteSize;
import dev.larder.cli.Percent;
import dev.larder.cli.Quantity;
import dev.larder.cli.TimeSpan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;

/** The notation of a {@link Setting}'s value, and the value without its unit. */
@SuppressWarnings("ImmutableEnumChecker") // its functions have no state
public enum Form {
    /** Given or not. */
    FLAG("", Boolean::parseBoolean),
    /** Bytes: {@code 128MiB}. */
    SIZE("SIZE", ByteSize::parse, Form::bytes),
    /** Things: {@code 100k}. */
    COUNT("COUNT", Quantity::parse),
    /** The seed of everything random, which a result has elsewhere. */
    SEED("NUMBER", Quantity::parse),
    /** Things a second: {@code 10k}. */
    RATE("RATE", Quantity::parse, value -> value + "/s"),
    /** Bytes a second: {@code 50MiB/s}. */
    BYTE_RATE("RATE", text -> ByteRate.parse(text).bytesPerSecond(), value -> bytes(value) + "/s"),
    /** A fraction: {@code 1.5}. */
    NUMBER("NUMBER", Form::number),
    /** Percent: {@code 10}. */
    PERCENT("PERCENT", text -> Percent.parse(text).value()),
    /** A length of time: {@code 20s}. */
    TIME("TIME", TimeSpan::parse, value -> value instanceof Duration time ? time.toString() : value + " s"),
    /** One of several words. */
    NAME("NAME", text -> text),
    /** Words of a command line. */
    COMMAND("COMMAND", text -> text, Object::toString),
    /** A file, whose name is in the result. */
    FILE("FILE", Path::of),
    /** A directory, which is not in the result. */
    DIRECTORY("DIR", Path::of);

    private final String label;
    private final Function<String, Object> parser;
    private final Function<Object, String> writer;

    Form(String label, Function<String, Object> parser) {
        this(label, parser, value -> String.valueOf(value).toLowerCase(Locale.ROOT));
    }

    Form(String label, Function<String, Object> parser, Function<Object, String> writer) {
        this.label = label;
        this.parser = parser;
        this.writer = writer;
    }

    /** Returns the word for its value in the help. */
    public String label() {
        return label;
    }

    /**
     * Returns the value that a text names.
     *
     * @throws IllegalArgumentException with the given and the accepted text
     */
    Object parse(String text) {
        return parser.apply(text);
    }

    String text(Object value) {
        return writer.apply(value);
    }

    private static String bytes(Object value) {
        long bytes = ((Number) value).longValue();
        return bytes % 1024 == 0 ? ByteSize.format(bytes) : bytes + " B";
    }

    private static Double number(String text) {
        try {
            double number = Double.parseDouble(text.strip());
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a number: '" + text + "'", e);
        }
        throw new IllegalArgumentException("not a number: '" + text + "'");
    }
}
