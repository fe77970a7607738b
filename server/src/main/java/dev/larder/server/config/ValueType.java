package dev.larder.server.config;

/** What values a parameter may have. */
@FunctionalInterface
interface ValueType {

    /**
     * Returns a value in the form that {@code CONFIG GET} tells.
     *
     * @param given the value that was asked for; several words are separated by blanks
     * @param current the value so far, for types whose values may be given in part
     * @throws SettingException if it is none
     */
    String canonical(String given, String current);
}
