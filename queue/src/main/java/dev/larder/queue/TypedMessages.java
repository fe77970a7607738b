package dev.larder.queue;

/** What is common to all messages that have a schema. */
final class TypedMessages {

    private TypedMessages() {}

    /** Reads the number of a message's schema. */
    static int number(Input input) {
        if (input.left() < Schemas.MARK_BYTES) {
            throw new SchemaMismatchException("it has " + input.left() + " bytes, and names no schema");
        }
        int number = Schemas.number(input.getInt());
        if (number < 0) {
            throw new SchemaMismatchException("it names no schema: it does not begin with fd");
        }
        return number;
    }
}
