package dev.larder.array.campaign;

import java.util.List;
import java.util.Set;

/**
 * A command on a key, in the words of the history ({@code tests/porcupine/string.go}).
 *
 * @param name the command
 * @param argument the value; {@code value:millis} for {@code px}; empty if there is none
 */
record Command(String name, String argument) {

    static final Command GET = new Command("get", "");

    /** Reads all entries of a stream. */
    static final Command ALL = new Command("xall", "");

    /** The field of each entry. */
    private static final String FIELD = "f";

    /** What {@code INCR} answers where the key holds another text. */
    private static final String NO_NUMBER = "ERR value is not an integer or out of range";

    private static final Set<String> READS = Set.of("get", "xall", "xlen");

    boolean isRead() {
        return READS.contains(name);
    }

    /** Returns the words that a client sends. */
    List<String> words(String key) {
        return switch (name) {
            case "set" -> List.of("SET", key, argument);
            case "px" -> {
                String[] parts = argument.split(":", -1);
                yield List.of("SET", key, parts[0], "PX", parts[1]);
            }
            case "nx" -> List.of("SET", key, argument, "NX");
            case "xx" -> List.of("SET", key, argument, "XX");
            case "append" -> List.of("APPEND", key, argument);
            case "xadd" -> List.of("XADD", key, "*", FIELD, argument);
            case "xlen" -> List.of("XLEN", key);
            case "xall" -> List.of("XRANGE", key, "-", "+");
            case "xtrim" -> List.of("XTRIM", key, "MAXLEN", argument);
            default -> List.of(name, key);
        };
    }

    /**
     * Returns a reply in the form of the history. Records the ids in it.
     *
     * @throws AssertionError if the reply is an error that the command cannot have
     */
    String result(String key, Reply reply, Ids ids) {
        if (reply.isError()) {
            if (!name.equals("incr") || !reply.text().startsWith(NO_NUMBER)) {
                throw new AssertionError("the answer to " + this + " of key " + key + " is: " + reply.text());
            }
            return reply.result();
        }
        return switch (name) {
            case "xadd" -> {
                ids.added(key, argument, reply.text());
                yield "OK";
            }
            case "xall" -> all(key, reply, ids);
            default -> reply.result();
        };
    }

    private static String all(String key, Reply reply, Ids ids) {
        List<String> entries = reply.parts().stream()
                .map(entry -> entry.parts().getLast().parts().getLast().text())
                .toList();
        ids.seen(
                key,
                entries,
                reply.parts().stream()
                        .map(entry -> entry.parts().getFirst().text())
                        .toList());
        return entries.isEmpty() ? "nil" : String.join(".", entries);
    }

    @Override
    public String toString() {
        return argument.isEmpty() ? name : name + ":" + argument;
    }
}
