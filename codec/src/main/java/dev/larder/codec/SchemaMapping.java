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

/**
 * A mapping from the schema numbers of one queue or map to the numbers in another, for copying messages between them.
 */
public final class SchemaMapping {

    private final Schemas here;
    private final Map<Integer, Integer> numbers = new HashMap<>();

    /** Makes a mapping into a queue or a map, without schemas so far. */
    public SchemaMapping(CodecFolder target) {
        this.here = new Schemas(target);
    }

    /** Returns the schemas stored in the target, by their numbers. */
    public Map<Integer, Schema> schemas() {
        return here.all();
    }

    /** Stores a schema in the target, with the same number if that is free. */
    public void add(int number, Schema schema) {
        boolean same = here.get(number).map(schema::equals).orElseGet(() -> here.add(number, schema));
        numbers.put(number, same ? number : here.numberOf(schema));
    }

    /**
     * Stores the readable schemas of another directory in the target; returns how many.
     *
     * @param problems receives a text for each schema that cannot be read
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
                problems.accept(e.getMessage()
                        + ": the repair copies the values of this schema, but no program can read them without it");
            }
        }
        return added;
    }

    /**
     * Returns a message with its schema's number in the target. A message that names no known schema is returned
     * unchanged.
     */
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
