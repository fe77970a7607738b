package dev.larder.cli;

import dev.larder.memory.LarderException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.jr.ob.JSON;

/**
 * An ordered set of named values: the form of results, of options, and of the messages of child processes.
 *
 * <p>A value is a text, a number, a boolean, null, another {@code Figures} or a list of these. A number that is not finite is
 * kept as null, since JSON has no word for it. Fractions are kept to four decimals, except a {@link BigDecimal}, which is kept
 * unchanged.
 */
public final class Figures {

    private static final JSON COMPACT =
            JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES, JSON.Feature.USE_BIG_DECIMAL_FOR_FLOATS);
    private static final JSON PRETTY = COMPACT.with(JSON.Feature.PRETTY_PRINT_OUTPUT);
    private static final int SCALE = 4;
    private static final double DECIMALS = 10_000;

    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

    /** Creates figures without values. */
    public Figures() {}

    /** Returns the figures of a JSON object. */
    public static Figures parse(String json) {
        try {
            return of(COMPACT.mapFrom(json));
        } catch (RuntimeException e) {
            throw new LarderException(
                    "not a JSON object: " + json.lines().findFirst().orElse("(empty)"), e);
        }
    }

    private static Figures of(Map<?, ?> map) {
        Figures figures = new Figures();
        map.forEach((name, value) -> figures.put(String.valueOf(name), value));
        return figures;
    }

    /** Sets a value; null is a value too. */
    public Figures put(String name, @Nullable Object value) {
        values.put(name, plain(value));
        return this;
    }

    /** Sets all values of another set, after those already here. */
    public Figures putAll(Figures other) {
        values.putAll(other.values);
        return this;
    }

    private static @Nullable Object plain(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Figures figures -> figures;
            case Map<?, ?> map -> of(map);
            case Collection<?> list -> plainList(list);
            case Double number -> rounded(number);
            case BigDecimal number when number.scale() <= SCALE -> rounded(number.doubleValue());
            case Number number -> number;
            case Boolean flag -> flag;
            default -> value.toString();
        };
    }

    private static List<@Nullable Object> plainList(Collection<?> list) {
        List<@Nullable Object> plain = new ArrayList<>(list.size());
        list.forEach(element -> plain.add(plain(element)));
        return plain;
    }

    private static @Nullable Double rounded(double number) {
        if (!Double.isFinite(number)) {
            return null;
        }
        return Math.abs(number) < 1e12 ? Math.rint(number * DECIMALS) / DECIMALS : number;
    }

    /** Returns a value, or null when it is null or missing. */
    public @Nullable Object get(String name) {
        return values.get(name);
    }

    /** Returns whether there is a value of this name, which may be null. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Returns the names, in order. */
    public Collection<String> names() {
        return values.keySet();
    }

    /** Returns a text; throws if it is missing. */
    public String text(String name) {
        return String.valueOf(present(name));
    }

    /** Returns a whole number; throws if it is missing or is not a number. */
    public long whole(String name) {
        return numeric(name).longValue();
    }

    /** Returns a number; NaN if it is null or missing. */
    public double number(String name) {
        return values.get(name) instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    /** Returns a whole number; null if it is null or missing. */
    public @Nullable Long wholeOrNull(String name) {
        return values.get(name) instanceof Number number ? number.longValue() : null;
    }

    /** Returns whether a flag is set. */
    public boolean flag(String name) {
        return Boolean.TRUE.equals(values.get(name));
    }

    /** Returns figures within these; empty ones when they are missing. */
    public Figures part(String name) {
        return values.get(name) instanceof Figures part ? part : new Figures();
    }

    /** Returns a list of figures; empty when it is missing. */
    public List<Figures> rows(String name) {
        return values.get(name) instanceof List<?> list
                ? list.stream()
                        .filter(Figures.class::isInstance)
                        .map(Figures.class::cast)
                        .toList()
                : List.of();
    }

    private Number numeric(String name) {
        if (present(name) instanceof Number number) {
            return number;
        }
        throw new LarderException("'" + name + "' is not a number: " + values.get(name));
    }

    private Object present(String name) {
        Object value = values.get(name);
        if (value == null) {
            throw new LarderException("no value '" + name + "' in " + values.keySet());
        }
        return value;
    }

    /** Returns one line of JSON. */
    public String toJson() {
        return COMPACT.asString(tree());
    }

    /** Returns indented JSON, ending with a line feed. */
    public String toPrettyJson() {
        return PRETTY.asString(tree()) + "\n";
    }

    private Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        values.forEach((name, value) -> tree.put(name, tree(value)));
        return tree;
    }

    private static @Nullable Object tree(@Nullable Object value) {
        return switch (value) {
            case Figures figures -> figures.tree();
            case List<?> list -> treeOf(list);
            case null, default -> value;
        };
    }

    private static List<@Nullable Object> treeOf(List<?> list) {
        List<@Nullable Object> trees = new ArrayList<>(list.size());
        list.forEach(element -> trees.add(tree(element)));
        return trees;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Figures figures && toJson().equals(figures.toJson());
    }

    @Override
    public int hashCode() {
        return toJson().hashCode();
    }

    @Override
    public String toString() {
        return toJson();
    }
}
