package dev.larder.codec.schema;

import dev.larder.codec.Schema;
import dev.larder.codec.SchemaMismatchException;
import java.util.Collection;

/** The common parts of all messages with a schema. */
public final class TypedMessages {

    private TypedMessages() {}

    /** Reads the number of a message's schema. */
    public static int number(Input input) {
        if (input.left() < Schemas.MARK_BYTES) {
            throw new SchemaMismatchException("it has " + input.left() + " bytes, and names no schema");
        }
        int number = Schemas.number(input.getInt());
        if (number < 0) {
            throw new SchemaMismatchException("it names no schema: it does not begin with fd");
        }
        return number;
    }

    /** Returns the number of a message's schema; -1 if it names none. */
    public static int number(byte[] message) {
        if (message.length < Schemas.MARK_BYTES) {
            return -1;
        }
        return Schemas.number((message[0] & 0xff)
                | ((message[1] & 0xff) << 8)
                | ((message[2] & 0xff) << 16)
                | ((message[3] & 0xff) << 24));
    }

    /** Returns the schema of a message. */
    public static Schema schema(Schemas schemas, int number) {
        return schemas.get(number)
                .orElseThrow(() -> new SchemaMismatchException(
                        "it is of schema " + number + ", which is not in " + schemas.directory()));
    }

    /** Returns the error for a message of another type than the expected ones. */
    public static SchemaMismatchException another(Schema schema, String origin, Collection<String> wanted) {
        return new SchemaMismatchException(
                "it is a " + schema.main() + " (" + origin + "), not a " + String.join(", ", wanted));
    }
}
