package dev.larder.lab.result;

import dev.larder.cli.Figures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Selects rows of a result by their keys. */
public final class Rows {

    private Rows() {}

    /** Returns the rows whose key has a value, given as text or number. */
    public static List<Figures> where(List<Figures> rows, String key, Object value) {
        String text = value.toString();
        return rows.stream()
                .filter(row -> text.equals(String.valueOf(row.get(key))))
                .toList();
    }

    /** Returns the first of them; empty figures if there is none. */
    public static Figures first(List<Figures> rows, String key, Object value) {
        return where(rows, key, value).stream().findFirst().orElseGet(Figures::new);
    }

    /** Returns the distinct texts of a key, in order. */
    public static List<String> distinct(List<Figures> rows, String key) {
        return rows.stream().map(row -> row.text(key)).distinct().toList();
    }

    /** Returns the rows by name, in order. */
    public static Map<String, List<Figures>> by(List<Figures> rows, Function<Figures, String> name) {
        return rows.stream().collect(Collectors.groupingBy(name, LinkedHashMap::new, Collectors.toList()));
    }

    /** Returns the names in a text, between spaces. */
    public static List<String> names(String text) {
        return List.of(text.split(" ", -1));
    }

    /** Returns a figure of each row. */
    public static List<Double> numbers(List<Figures> rows, String figure) {
        return rows.stream().map(row -> row.number(figure)).toList();
    }
}
