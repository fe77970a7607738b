package dev.larder.array.campaign;

import java.util.List;

/**
 * A command on a key, in the words of the history ({@code tests/porcupine/string.go}).
 *
 * @param name the command
 * @param argument the value; {@code value:millis} for {@code px}; empty if there is none
 */
record Command(String name, String argument) {

    static final Command GET = new Command("get", "");

    boolean isRead() {
        return name.equals("get");
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
            default -> List.of(name, key);
        };
    }

    @Override
    public String toString() {
        return argument.isEmpty() ? name : name + ":" + argument;
    }
}
