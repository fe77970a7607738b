package dev.larder.server.command;

import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.stream.Producers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * The producer of an entry, and the number that it gives the entry, so that a retry adds nothing. The option is
 * {@code IDMP producer number}, or {@code IDMPAUTO producer}, whose number is made from the fields and values.
 *
 * @param producer the argument that names the producer; 0 if there is none
 * @param number the argument that is the number; 0 if the number is made from the fields
 */
record Production(int producer, int number) {

    static final Production NONE = new Production(0, 0);

    private static final int DIGEST_BYTES = 32;

    /** A letter stands before each number, and distinguishes given numbers from those that are made. */
    private static final int KEY_MAX_BYTES = Producers.KEY_MAX_BYTES - 1;

    boolean isGiven() {
        return producer > 0;
    }

    /** Returns the production of an option, and how many arguments it has; null if it is another option. */
    static @Nullable Production parse(Execution execution, int at) {
        int more = execution.count() - 1 - at;
        if (execution.is(at, "idmpauto") && more >= 1) {
            return checked(execution, new Production(at + 1, 0));
        }
        return execution.is(at, "idmp") && more >= 2 ? checked(execution, new Production(at + 1, at + 2)) : null;
    }

    private static Production checked(Execution execution, Production production) {
        boolean empty = execution.argument(production.producer()).length() == 0
                || (production.number() > 0
                        && execution.argument(production.number()).length() == 0);
        if (empty) {
            throw new ReplyException("ERR syntax error, the ids of IDMP and IDMPAUTO must not be empty");
        }
        int numberBytes = production.number() > 0
                ? execution.argument(production.number()).length()
                : DIGEST_BYTES;
        int bytes = execution.argument(production.producer()).length() + numberBytes;
        if (bytes > KEY_MAX_BYTES) {
            throw new ReplyException("ERR a producer and its number of " + bytes
                    + " bytes are too long: together they have at most " + KEY_MAX_BYTES + " bytes");
        }
        return production;
    }

    int arguments() {
        return number > 0 ? 3 : 2;
    }

    String producerName(Execution execution) {
        return GroupNames.of(execution, producer);
    }

    String numberOf(Execution execution, int firstField) {
        return number > 0 ? "n" + GroupNames.of(execution, number) : "a" + digest(execution.request(), firstField);
    }

    private static String digest(Request request, int firstField) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (int i = firstField; i < request.count(); i++) {
                byte[] bytes = request.bytes(i);
                digest.update(Integer.toString(bytes.length).getBytes(StandardCharsets.US_ASCII));
                digest.update((byte) ':');
                digest.update(bytes);
            }
            return new String(digest.digest(), StandardCharsets.ISO_8859_1);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
