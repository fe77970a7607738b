package dev.larder.server.config;

/**
 * A parameter of the server. Its name is that of Redis' parameter with the same meaning.
 *
 * @param name its name
 * @param otherName an older name; empty if there is none
 * @param type the values that it may have
 * @param standard its default value
 * @param change when it may change
 * @param effect whether this server uses it
 */
public record Parameter(String name, String otherName, ValueType type, String standard, Change change, Effect effect) {

    /** When a parameter may change. */
    public enum Change {
        /** Before the server starts. */
        AT_START,
        /** At any time. */
        ANY_TIME,
        /** Before the server starts; {@code CONFIG SET} calls it protected, as Redis does. */
        PROTECTED
    }

    /** Whether the server uses a parameter. */
    public enum Effect {
        /** It does what it says. */
        USED,
        /** It is kept and shown, so that files and tools of Redis work, and changes nothing. */
        NONE,
        /** Only one value is accepted: what Larder always does. */
        FIXED
    }

    Parameter alsoNamed(String other) {
        return new Parameter(name, other, type, standard, change, effect);
    }

    /** Returns the given value in the form in which it is shown. */
    String canonical(String given, String current) {
        try {
            return type.canonical(given, current);
        } catch (SettingException e) {
            throw e.of(name);
        }
    }
}
