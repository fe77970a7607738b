package dev.larder.server.config;

/**
 * The letters of {@code notify-keyspace-events}: the classes of events, and where they are published. {@code A} stands for all
 * classes except misses and new keys. Beside {@code A}, Redis does not show {@code n}: it publishes new keys, but does not
 * after {@code CONFIG REWRITE} and a restart. Here {@code n} is shown and kept.
 */
final class NotificationFlags implements ValueType {

    private static final String ALL = "g$lshzxetd";
    private static final String KNOWN = "Ag$lshzxeKEtmdn";
    private static final String OTHERS = "KEm";

    @Override
    public String canonical(String given, String current) {
        for (int i = 0; i < given.length(); i++) {
            if (KNOWN.indexOf(given.charAt(i)) < 0) {
                throw new SettingException("Invalid event class character. Use '" + KNOWN + "'.");
            }
        }
        boolean all = given.indexOf('A') >= 0 || ALL.chars().allMatch(letter -> given.indexOf(letter) >= 0);
        return (all ? "A" : those(ALL, given)) + those("n" + OTHERS, given);
    }

    private static String those(String letters, String given) {
        StringBuilder those = new StringBuilder();
        letters.chars().filter(letter -> given.indexOf(letter) >= 0).forEach(letter -> those.append((char) letter));
        return those.toString();
    }
}
