package dev.larder.server.config;

/** The type of a parameter's values. */
@FunctionalInterface
interface ValueType {

    /**
     * Returns a value in the form that {@code CONFIG GET} shows.
     *
     * @param given the requested value; several words are separated by blanks
     * @param current the value so far, for types whose values may be given in part
     * @throws SettingException if it is not a value of this type
     */
    String canonical(String given, String current);
}
