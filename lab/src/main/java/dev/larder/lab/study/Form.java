package dev.larder.lab.study;

import dev.larder.cli.ByteRate;
import dev.larder.cli.ByteSize;
import dev.larder.cli.Percent;
import dev.larder.cli.Quantity;
import dev.larder.cli.TimeSpan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** How the value of a {@link Setting} is written, and what it is without its unit. */
public enum Form {
    /** Given or not. */
    FLAG("") {
        @Override
        Object parse(String text) {
            return Boolean.parseBoolean(text);
        }
    },

    /** Bytes: {@code 128MiB}. */
    SIZE("SIZE") {
        @Override
        Object parse(String text) {
            return ByteSize.parse(text);
        }

        @Override
        String text(Object value) {
            long bytes = ((Number) value).longValue();
            return bytes % 1024 == 0 ? ByteSize.format(bytes) : bytes + " B";
        }
    },

    /** Things: {@code 100k}. */
    COUNT("COUNT") {
        @Override
        Object parse(String text) {
            return Quantity.parse(text);
        }
    },

    /** The seed of everything random, which a result tells elsewhere. */
    SEED("NUMBER") {
        @Override
        Object parse(String text) {
            return Quantity.parse(text);
        }
    },

    /** Things a second: {@code 10k}. */
    RATE("RATE") {
        @Override
        Object parse(String text) {
            return Quantity.parse(text);
        }

        @Override
        String text(Object value) {
            return value + "/s";
        }
    },

    /** Bytes a second: {@code 50MiB/s}. */
    BYTE_RATE("RATE") {
        @Override
        Object parse(String text) {
            return ByteRate.parse(text).bytesPerSecond();
        }

        @Override
        String text(Object value) {
            return SIZE.text(value) + "/s";
        }
    },

    /** A fraction: {@code 1.5}. */
    NUMBER("NUMBER") {
        @Override
        Object parse(String text) {
            return number(text);
        }
    },

    /** Parts of a hundred: {@code 10}. */
    PERCENT("PERCENT") {
        @Override
        Object parse(String text) {
            return Percent.parse(text).value();
        }
    },

    /** A length of time: {@code 20s}. */
    TIME("TIME") {
        @Override
        Object parse(String text) {
            return TimeSpan.parse(text);
        }

        @Override
        String text(Object value) {
            return value instanceof Duration time ? time.toString() : value + " s";
        }
    },

    /** One of several words. */
    NAME("NAME") {
        @Override
        Object parse(String text) {
            return text;
        }
    },

    /** Words of a command line. */
    COMMAND("COMMAND") {
        @Override
        Object parse(String text) {
            return text;
        }

        @Override
        String text(Object value) {
            return value.toString();
        }
    },

    /** A file, of which a result tells the name. */
    FILE("FILE") {
        @Override
        Object parse(String text) {
            return Path.of(text);
        }
    },

    /** A directory, which is the machine's own business. */
    DIRECTORY("DIR") {
        @Override
        Object parse(String text) {
            return Path.of(text);
        }
    };

    private final String label;

    Form(String label) {
        this.label = label;
    }

    /** Returns the word for its value in the help. */
    public String label() {
        return label;
    }

    /**
     * Returns the value that a text names.
     *
     * @throws IllegalArgumentException with what was found and what is accepted
     */
    abstract Object parse(String text);

    /** Returns a value for people. */
    String text(Object value) {
        return String.valueOf(value).toLowerCase(Locale.ROOT);
    }

    private static Double number(String text) {
        try {
            return Double.valueOf(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a number: '" + text + "'", e);
        }
    }
}
