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

    /** How many numbers without a schema a mapping may leave below the largest. A stream cannot use the numbers up. */
    private static final int GAPS_MOST = 1000;

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

    /**
     * Stores a schema in the target, with the same number if that is free, and not far beyond the numbers there.
     *
     * @param number of the schema in its own queue or map
     */
    public void add(int number, Schema schema) {
        if (!Schemas.isNumber(number)) {
            throw new IllegalArgumentException(
                    "a schema cannot have number " + number + "; they are 1 to " + Schemas.NUMBER_MAX);
        }
        boolean same = isNear(number)
                ? keep(number, schema)
                : schema.equals(here.get(number).orElse(null));
        numbers.put(number, same ? number : here.numberOf(schema));
    }

    /** Stores a schema with the same number; returns false if another schema has it. */
    private boolean keep(int number, Schema schema) {
        return here.get(number).map(schema::equals).orElseGet(() -> here.add(number, schema));
    }

    private boolean isNear(int number) {
        return number <= here.all().size() + GAPS_MOST;
    }

    /**
     * Stores the readable schemas of another directory in the target, which has none yet, with their numbers; returns how many.
     *
     * @param problems receives a text for each schema that cannot be read
     */
    public int addAllOf(Path other, Consumer<String> problems) {
        int added = 0;
        for (String name : here.storage().list(other).stream().sorted().toList()) {
            int number = SchemaFile.numberOf(name);
            try {
                Optional<Schema> schema =
                        number < 0 ? Optional.empty() : SchemaFile.read(other, number, here.storage());
                schema.ifPresent(found -> keep(number, found));
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
