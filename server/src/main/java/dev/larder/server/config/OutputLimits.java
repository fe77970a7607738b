package dev.larder.server.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The limits of replies that wait for their client, for each class of clients: {@code CLASS HARD SOFT SECONDS}. A class that
 * is not named keeps its limits.
 */
final class OutputLimits implements ValueType {

    private static final int WORDS = 4;

    @Override
    public String canonical(String given, String current) {
        List<String> words = ValueTypes.words(given);
        if (words.isEmpty() || words.size() % WORDS != 0) {
            throw new SettingException("Wrong number of arguments in buffer limit configuration.");
        }
        Map<String, String> limits = new LinkedHashMap<>();
        put(ValueTypes.words(current), limits);
        put(words, limits);
        return String.join(" ", limits.values());
    }

    private static void put(List<String> words, Map<String, String> limits) {
        for (int i = 0; i < words.size(); i += WORDS) {
            String name = words.get(i).toLowerCase(Locale.ROOT);
            String shown = name.equals("replica") ? "slave" : name;
            if (!List.of("normal", "slave", "pubsub").contains(shown)) {
                throw new SettingException("Invalid client class specified in buffer limit configuration.");
            }
            limits.put(
                    shown,
                    shown + " " + bytes(words.get(i + 1)) + " " + bytes(words.get(i + 2)) + " "
                            + seconds(words.get(i + 3)));
        }
    }

    private static long bytes(String word) {
        try {
            return ValueTypes.bytes(word);
        } catch (SettingException e) {
            throw invalid();
        }
    }

    private static String seconds(String word) {
        if (!word.matches("\\d{1,9}")) {
            throw invalid();
        }
        return word;
    }

    private static SettingException invalid() {
        return new SettingException("Error in hard, soft or soft_seconds setting in buffer limit configuration.");
    }
}
