package dev.larder.server.config;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The types of values, with the error texts of Redis 7.0. */
final class ValueTypes {

    private static final Map<String, Long> UNITS = Map.of(
            "",
            1L,
            "b",
            1L,
            "k",
            1_000L,
            "kb",
            1L << 10,
            "m",
            1_000_000L,
            "mb",
            1L << 20,
            "g",
            1_000_000_000L,
            "gb",
            1L << 30);

    private static final int PERCENT_MAX = 100;
    private static final int SCORES = 3;
    private static final int SCORE_MAX = 2000;

    private ValueTypes() {}

    static ValueType text() {
        return (given, current) -> given;
    }

    static ValueType truth() {
        return (given, current) -> {
            if (given.equalsIgnoreCase("yes") || given.equalsIgnoreCase("no")) {
                return given.toLowerCase(Locale.ROOT);
            }
            throw new SettingException("argument must be 'yes' or 'no'");
        };
    }

    static ValueType whole(long least, long most) {
        return (given, current) -> {
            try {
                long value = Long.parseLong(given);
                if (Long.toString(value).equals(given)) { // a number has one form, as in Redis
                    return within(value, least, most);
                }
            } catch (NumberFormatException e) {
                // reported below
            }
            throw new SettingException("argument couldn't be parsed into an integer");
        };
    }

    /** A number of bytes, in Redis' units: {@code 1k} is 1000 bytes, {@code 1kb} is 1024. */
    static ValueType memory(long least, long most) {
        return (given, current) -> within(bytes(given), least, most);
    }

    /** A number of bytes, or a share of {@code maxmemory} in percent. */
    static ValueType memoryOrShare() {
        return (given, current) -> {
            if (!given.endsWith("%")) {
                return within(bytes(given), 0, Long.MAX_VALUE);
            }
            String percent = given.substring(0, given.length() - 1);
            if (!percent.matches("\\d{1,9}")) {
                throw new SettingException("argument must be a memory or percent value");
            }
            if (Integer.parseInt(percent) > PERCENT_MAX) {
                throw new SettingException("percentage argument must be less or equal to " + PERCENT_MAX);
            }
            return Integer.parseInt(percent) + "%";
        };
    }

    private static String within(long value, long least, long most) {
        if (value < least || value > most) {
            throw new SettingException("argument must be between " + least + " and " + most + " inclusive");
        }
        return Long.toString(value);
    }

    static long bytes(String given) {
        int digits = 0;
        while (digits < given.length() && Character.isDigit(given.charAt(digits))) {
            digits++;
        }
        Long unit = UNITS.get(given.substring(digits).toLowerCase(Locale.ROOT));
        try {
            if (unit != null) {
                return Math.multiplyExact(Long.parseLong(given.substring(0, digits)), unit);
            }
        } catch (NumberFormatException | ArithmeticException e) {
            // reported below
        }
        throw new SettingException("argument must be a memory value");
    }

    static ValueType choice(String... names) {
        List<String> all = List.of(names);
        return (given, current) -> {
            String name = given.toLowerCase(Locale.ROOT);
            if (!all.contains(name)) {
                throw new SettingException("argument(s) must be one of the following: " + String.join(", ", all));
            }
            return name;
        };
    }

    /** A value that this server always has: any other is refused, with the reason. */
    static ValueType only(String value, String reason) {
        return (given, current) -> {
            if (!given.equalsIgnoreCase(value)) {
                throw new SettingException("argument must be '" + value + "': " + reason);
            }
            return value;
        };
    }

    /** Addresses, separated by blanks. One that begins with {@code -} may be missing. */
    static ValueType addresses() {
        return (given, current) -> String.join(" ", words(given));
    }

    static List<String> words(String text) {
        return text.isBlank() ? List.of() : List.of(text.trim().split("\\s+"));
    }

    /** Seconds and changes in turn. */
    static ValueType savePoints() {
        return (given, current) -> {
            List<String> words = words(given);
            boolean numbers = words.stream().allMatch(word -> word.matches("\\d{1,9}"));
            if (!numbers || words.size() % 2 != 0) {
                throw new SettingException("Invalid save parameters");
            }
            return String.join(" ", words);
        };
    }

    /** Three numbers for the system's killer of processes. */
    static ValueType scores() {
        return (given, current) -> {
            List<String> words = words(given);
            if (words.size() != SCORES) {
                throw new SettingException("wrong number of arguments");
            }
            for (String word : words) {
                if (!word.matches("-?\\d{1,4}") || Math.abs(Integer.parseInt(word)) > SCORE_MAX) {
                    throw new SettingException(
                            "Invalid oom-score-adj-values, elements must be between -2000 and 2000.");
                }
            }
            return String.join(" ", words);
        };
    }

    /** Shares of a hundred, in any order. */
    static ValueType percentiles() {
        return (given, current) -> {
            List<String> shares = new ArrayList<>();
            for (String word : words(given)) {
                try {
                    BigDecimal share = new BigDecimal(word);
                    if (share.signum() < 0 || share.compareTo(BigDecimal.valueOf(100)) > 0) {
                        throw new SettingException(
                                "latency-tracking-info-percentiles parameters should sit between [0.0,100.0]");
                    }
                    shares.add(share.stripTrailingZeros().toPlainString());
                } catch (NumberFormatException e) {
                    throw new SettingException("Invalid latency-tracking-info-percentiles parameters");
                }
            }
            return String.join(" ", shares);
        };
    }
}
