package dev.larder.array.form;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.jr.ob.JSON;

/** The fields of an object in JSON. A field that is missing, unknown or of another kind is an error that names the field. */
final class JsonFields {

    private final String place;
    private final Map<?, ?> values;
    private final Set<String> known = new TreeSet<>();

    private JsonFields(String place, Map<?, ?> values) {
        this.place = place;
        this.values = values;
    }

    /** Reads a text in JSON; it must be an object, of which all fields are read. */
    static <T> T read(String text, Function<JsonFields, T> reading) {
        Map<?, ?> values;
        try {
            values = JSON.std.mapFrom(text);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("it is not a JSON object: " + e.getMessage(), e);
        }
        return read("", values, reading);
    }

    private static <T> T read(String place, @Nullable Object object, Function<JsonFields, T> reading) {
        if (!(object instanceof Map<?, ?> values)) {
            throw new IllegalArgumentException(place + " is not an object: " + object);
        }
        JsonFields fields = new JsonFields(place.isEmpty() ? "" : place + ".", values);
        T read = reading.apply(fields);
        for (Object name : values.keySet()) {
            if (!fields.known.contains(String.valueOf(name))) {
                throw new IllegalArgumentException(fields.place + name + " is unknown: the fields are " + fields.known);
            }
        }
        return read;
    }

    private @Nullable Object value(String name) {
        known.add(name);
        return values.get(name);
    }

    private IllegalArgumentException wrong(String name, String kind) {
        return new IllegalArgumentException(place + name + " is not " + kind + ": " + values.get(name));
    }

    String text(String name) {
        if (value(name) instanceof String text) {
            return text;
        }
        throw wrong(name, "a text");
    }

    boolean flag(String name) {
        if (value(name) instanceof Boolean flag) {
            return flag;
        }
        throw wrong(name, "true or false");
    }

    long number(String name) {
        if (value(name) instanceof Number number && number.longValue() == number.doubleValue()) {
            return number.longValue();
        }
        throw wrong(name, "a whole number");
    }

    int smallNumber(String name) {
        long number = number(name);
        if (number != (int) number) {
            throw wrong(name, "a number of 32 bits");
        }
        return (int) number;
    }

    /** Returns a number within two bounds, both included. */
    int numberWithin(String name, int least, int most) {
        long number = number(name);
        if (number < least || number > most) {
            throw wrong(name, "a number from " + least + " to " + most);
        }
        return (int) number;
    }

    /** Returns whether a field exists. */
    boolean has(String name) {
        return value(name) != null;
    }

    /** Returns a text, converted by a parser. */
    <T> T parsed(String name, Function<String, T> parser) {
        String text = text(name);
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(place + name + ": " + e.getMessage(), e);
        }
    }

    /** Returns a constant by its name, as {@link #name} writes it. */
    <E extends Enum<E>> E constant(String name, E[] constants) {
        String text = text(name);
        for (E constant : constants) {
            if (name(constant).equals(text)) {
                return constant;
            }
        }
        throw wrong(name, "a known value");
    }

    /** Returns the name of a constant in JSON. */
    static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the objects of an array. */
    <T> List<T> list(String name, Function<JsonFields, T> reading) {
        if (!(value(name) instanceof List<?> objects)) {
            throw wrong(name, "an array");
        }
        List<T> list = new ArrayList<>();
        for (Object object : objects) {
            list.add(read(place + name + "[" + list.size() + "]", object, reading));
        }
        return list;
    }

    /** Returns the texts of an array, converted by a parser. */
    <T> List<T> texts(String name, Function<String, T> parser) {
        if (!(value(name) instanceof List<?> texts)) {
            throw wrong(name, "an array");
        }
        try {
            return texts.stream()
                    .map(text -> parser.apply(String.valueOf(text)))
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(place + name + ": " + e.getMessage(), e);
        }
    }
}
