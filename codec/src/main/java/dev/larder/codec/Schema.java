package dev.larder.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * The schema of the messages of one type: a text of definitions, with the type of the messages first.
 *
 * <pre>
 * record Trade            a record, or "method" and its name: a call
 *  symbol text            its components in their order, each with its type
 *  legs list record Leg
 * record Leg              a definition that it uses
 *  side enum Side
 * enum Side
 *  BUY
 *  SELL
 * </pre>
 *
 * <p>Two schemas are equal if their texts are.
 *
 * @param text the definitions; each line ends with a line feed
 */
public record Schema(String text) {

    /**
     * Makes a schema; its text must be complete.
     *
     * @throws IllegalArgumentException if the text is not a schema
     */
    public Schema {
        parse(text);
    }

    /**
     * A definition: the type of the messages, or a type that it contains.
     *
     * @param kind {@link #RECORD}, {@link #METHOD} or {@link #ENUM}
     * @param name its simple name
     * @param components in the order of their bytes; the constants of an enum
     */
    public record Definition(String kind, String name, List<Component> components) {

        /** The kind of a record. */
        public static final String RECORD = "record";

        /** The kind of a method, whose calls are messages. */
        public static final String METHOD = "method";

        /** The kind of an enum. */
        public static final String ENUM = "enum";

        /** Returns whether this is an enum. */
        public boolean isEnum() {
            return kind.equals(ENUM);
        }

        @Override
        public String toString() {
            return kind + " " + name;
        }
    }

    /**
     * A component of a record, a parameter of a method, or a constant of an enum, which has no type of its own.
     *
     * @param name its name
     * @param type its type
     */
    public record Component(String name, SchemaType type) {}

    /** Returns the name of the record or method of the messages. */
    public String name() {
        return main().name();
    }

    /** Returns whether messages of this schema are calls of a method. */
    public boolean isMethod() {
        return main().kind().equals(Definition.METHOD);
    }

    /** Returns the definition of the messages themselves. */
    public Definition main() {
        return definitions().values().iterator().next();
    }

    /** Returns all definitions by kind and name, in their order. */
    public Map<String, Definition> definitions() {
        return parse(text);
    }

    /** Returns the schema of definitions, with the messages' own definition first. */
    public static Schema of(List<Definition> definitions) {
        StringBuilder text = new StringBuilder();
        for (Definition definition : definitions) {
            text.append(definition).append('\n');
            definition.components().forEach(component -> append(text, component, definition.isEnum()));
        }
        return new Schema(text.toString());
    }

    private static void append(StringBuilder text, Component component, boolean constant) {
        text.append(' ').append(component.name());
        if (!constant) {
            text.append(' ').append(component.type());
        }
        text.append('\n');
    }

    private static Map<String, Definition> parse(String text) {
        Map<String, Definition> definitions = new LinkedHashMap<>();
        try {
            for (String line : text.split("\n", 0)) {
                parse(line, definitions);
            }
        } catch (NoSuchElementException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("a line of the schema ends too early:\n" + text, e);
        }
        return definitions;
    }

    private static void parse(String line, Map<String, Definition> definitions) {
        List<String> words = Arrays.asList(line.strip().split(" ", 0));
        if (!line.startsWith(" ")) {
            Definition definition = new Definition(words.get(0), words.get(1), new ArrayList<>());
            definitions.put(definition.toString(), definition);
            return;
        }
        Definition last = List.copyOf(definitions.values()).getLast();
        SchemaType type = last.isEnum() ? SchemaType.Simple.TEXT : SchemaType.parse(words.listIterator(1));
        last.components().add(new Component(words.get(0), type));
    }
}
