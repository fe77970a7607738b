package dev.larder.codec;

import dev.larder.codec.schema.SchemaFile;
import dev.larder.codec.schema.Schemas;
import dev.larder.codec.schema.TypedMessages;
import dev.larder.memory.LarderException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The numbers that the schemas of one queue have in another one: for who carries messages from one to the other. */
public final class SchemaMapping {

    private final Schemas here;
    private final Map<Integer, Integer> numbers = new HashMap<>();

    /** A mapping into a queue or a map, of no schema yet. */
    public SchemaMapping(CodecFolder target) {
        this.here = new Schemas(target);
    }

    /** Returns the schemas that are written down there, by their numbers. */
    public Map<Integer, Schema> schemas() {
        return here.all();
    }

    /** Writes a schema down in the queue, under the same number where that is free. */
    public void add(int number, Schema schema) {
        boolean same = here.get(number).map(schema::equals).orElseGet(() -> here.add(number, schema));
        numbers.put(number, same ? number : here.numberOf(schema));
    }

    /**
     * Writes down the schemas of another directory, as far as they can be read; returns how many.
     *
     * @param problems is told of each that cannot
     */
    public int addAllOf(Path other, Consumer<String> problems) {
        int added = 0;
        for (String name : here.storage().list(other).stream().sorted().toList()) {
            int number = SchemaFile.numberOf(name);
            try {
                Optional<Schema> schema =
                        number < 1 ? Optional.empty() : SchemaFile.read(other, number, here.storage());
                schema.ifPresent(found -> add(number, found));
                added += schema.isPresent() ? 1 : 0;
            } catch (LarderException e) {
                problems.accept(e.getMessage() + ": what was written by it is copied, and cannot be read without it");
            }
        }
        return added;
    }

    /** Returns a message with the number that its schema has in the queue; one that names no known schema as it is. */
    public byte[] translate(byte[] message) {
        int number = TypedMessages.number(message);
        int translated = numbers.getOrDefault(number, number);
        if (translated == number) {
            return message;
        }
        byte[] copy = message.clone();
        int mark = Schemas.mark(translated);
        for (int i = 0; i < Schemas.MARK_BYTES; i++) {
            copy[i] = (byte) (mark >>> (8 * i));
        }
        return copy;
    }
}
