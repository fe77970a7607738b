package dev.larder.codec;

import java.util.Iterator;
import java.util.Locale;

/**
 * The type of a component, and its bytes in a message. All numbers are little-endian, and nothing is aligned.
 *
 * <pre>
 *  boolean byte short char int long float double        1 1 2 2 4 8 4 8 bytes
 *  text, bytes        | length 4 | UTF-8, or bytes |                           -1: null
 *  list T             | count 4  | T | T | ...                                 -1: null
 *  map K V            | count 4  | K | V | K | V | ...                         -1: null
 *  enum E             | index 2 |          of its constants in the schema      -1: null
 *  record R           | 1 | components |   or | 0 |: null
 *  optional T         | 1 | T |            or | 0 |: null
 *  instant, duration  | seconds 8 | nanos 4 |
 *  date, time         | day since 1970-01-01 8 |, | nanos of the day 8 |
 *  uuid               | high 8 | low 8 |
 *  decimal            | scale 4 | length 4 | two's complement, high byte first |
 * </pre>
 *
 * <p>As a text, a type is these words, with its parameters after it: {@code map text list record Leg}.
 */
public sealed interface SchemaType {

    /** A type that is one word. */
    enum Simple implements SchemaType {
        BOOLEAN(1, true),
        BYTE(1, true),
        SHORT(2, true),
        CHAR(2, true),
        INT(4, true),
        LONG(8, true),
        FLOAT(4, true),
        DOUBLE(8, true),
        INSTANT(12, false),
        DURATION(12, false),
        DATE(8, false),
        TIME(8, false),
        UUID(16, false),
        TEXT(-1, false),
        BYTES(-1, false),
        DECIMAL(-1, false);

        /** The size of a value in bytes; -1 if it differs from value to value. */
        public final int bytes;

        private final boolean primitive;

        Simple(int bytes, boolean primitive) {
            this.bytes = bytes;
            this.primitive = primitive;
        }

        /** Returns whether this is a primitive type of Java. */
        public boolean isPrimitive() {
            return primitive;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * Returns the type that a word names.
         *
         * @throws IllegalArgumentException if there is none
         */
        public static Simple of(String word) {
            for (Simple type : values()) {
                if (type.toString().equals(word)) {
                    return type;
                }
            }
            throw new IllegalArgumentException("no type is called \"" + word + "\"");
        }
    }

    /**
     * A list of values.
     *
     * @param element the type of each value
     */
    record Many(SchemaType element) implements SchemaType {
        @Override
        public String toString() {
            return "list " + element;
        }
    }

    /**
     * A map of keys to values.
     *
     * @param key the type of the keys
     * @param value the type of the values
     */
    record Pairs(SchemaType key, SchemaType value) implements SchemaType {
        @Override
        public String toString() {
            return "map " + key + " " + value;
        }
    }

    /**
     * A value or none, of a type that has no null of its own.
     *
     * @param value the type of the value
     */
    record Maybe(SchemaType value) implements SchemaType {
        @Override
        public String toString() {
            return "optional " + value;
        }
    }

    /**
     * A record that the schema defines under this name.
     *
     * @param name the name of the record
     */
    record Struct(String name) implements SchemaType {
        @Override
        public String toString() {
            return "record " + name;
        }
    }

    /**
     * An enum that the schema defines under this name.
     *
     * @param name the name of the enum
     */
    record Choice(String name) implements SchemaType {
        @Override
        public String toString() {
            return "enum " + name;
        }
    }

    /** Returns the type that begins with the next word of a schema. */
    static SchemaType parse(Iterator<String> words) {
        String word = words.next();
        return switch (word) {
            case "list" -> new Many(parse(words));
            case "map" -> new Pairs(parse(words), parse(words));
            case "optional" -> new Maybe(parse(words));
            case "record" -> new Struct(words.next());
            case "enum" -> new Choice(words.next());
            default -> Simple.of(word);
        };
    }
}
