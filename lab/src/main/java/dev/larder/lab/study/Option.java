package dev.larder.lab.study;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Setting} as declared.
 *
 * @param type of its value, or of each of its values
 * @param isList whether it takes several values
 * @param quick the default of a quick run; empty if it is the same
 * @param when defaults by conditions
 * @param from the minimum; empty for none
 * @param to the maximum; empty for none
 * @param step values are multiples of it; empty for none
 */
public record Option(
        String name,
        Form form,
        Class<?> type,
        boolean isList,
        String standard,
        String quick,
        Map<String, String> when,
        String from,
        String to,
        String step,
        String meaning) {

    /** The flag of a quick run. */
    static final String QUICK = "--quick";

    private static final Pattern TEXT = Pattern.compile("(--[a-z0-9-]+)(?: ([A-Z_]{4,})(?:=([^\\s|]*)(?:\\|(\\S*))?)?)?"
            + "(?: \\[(\\S+?)\\.\\.(\\S*?)(?: x (\\S+))?])?(?: \\{([^}]*)})? (.+)");

    /** Returns the option of a component; null if it is none. */
    static @Nullable Option of(RecordComponent component) {
        Setting setting = component.getAnnotation(Setting.class);
        if (setting == null) {
            return null;
        }
        Matcher matcher = TEXT.matcher(setting.value());
        if (!matcher.matches()) {
            throw new IllegalStateException(component + ": not a setting: " + setting.value());
        }
        boolean isList = List.class.isAssignableFrom(component.getType());
        return new Option(
                matcher.group(1),
                matcher.group(2) == null ? Form.FLAG : Form.valueOf(matcher.group(2)),
                isList
                        ? (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0]
                        : component.getType(),
                isList,
                group(matcher, 3),
                group(matcher, 4),
                conditions(group(matcher, 8)),
                group(matcher, 5),
                group(matcher, 6),
                group(matcher, 7),
                matcher.group(9));
    }

    private static String group(Matcher matcher, int group) {
        return Objects.requireNonNullElse(matcher.group(group), "");
    }

    private static Map<String, String> conditions(String text) {
        Map<String, String> conditions = new LinkedHashMap<>();
        for (String condition : text.isEmpty() ? new String[0] : text.split("; ?", -1)) {
            int colon = condition.indexOf(':');
            conditions.put(
                    condition.substring(0, colon),
                    condition.substring(colon + 1).strip());
        }
        return conditions;
    }

    /** Returns the options of a record and of its groups, each name once. */
    static Map<String, Option> all(Class<?> record) {
        Map<String, Option> options = new LinkedHashMap<>();
        for (RecordComponent component : record.getRecordComponents()) {
            Option option = of(component);
            if (option != null) {
                options.putIfAbsent(option.name(), option);
            }
            if (component.getType().isRecord()) {
                all(component.getType()).forEach(options::putIfAbsent);
            }
        }
        return options;
    }

    /** Returns the words that it knows; none if it accepts others. */
    public List<String> words() {
        Object[] constants = type.getEnumConstants();
        return constants == null
                ? List.of()
                : Arrays.stream(constants).map(Option::word).toList();
    }

    static String word(Object constant) {
        return constant.toString().toLowerCase(Locale.ROOT);
    }

    /** Returns its meaning and its default, as a format. */
    public String help() {
        List<String> defaults = new ArrayList<>();
        if (!standard.isEmpty()) {
            defaults.add(standard);
        }
        if (!quick.isEmpty()) {
            defaults.add(QUICK + ": " + quick);
        }
        boolean isSaid = defaults.isEmpty() || meaning.endsWith(")");
        String text = isSaid ? meaning : meaning + " (" + String.join("; ", defaults) + ")";
        return (text + ".").replace("%", "%%");
    }

    void check(Object value) {
        boolean isBelow = !from.isEmpty() && number(value) < number(form.parse(from));
        boolean isAbove = !to.isEmpty() && number(value) > number(form.parse(to));
        boolean isBetween = !step.isEmpty() && number(value) % number(form.parse(step)) != 0;
        if (isBelow || isAbove || isBetween) {
            throw new IllegalArgumentException(name + " " + form.text(value) + " is not "
                    + (step.isEmpty() ? "" : "a multiple of " + step + " ") + "from " + from
                    + (to.isEmpty() ? " upwards" : " to " + to));
        }
    }

    private static double number(Object value) {
        return value instanceof Duration time ? time.toNanos() / 1e9 : ((Number) value).doubleValue();
    }
}
