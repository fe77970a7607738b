package dev.larder.lab.report;

import dev.larder.cli.Figures;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table over rows of figures.
 *
 * <p>The name of a figure sets its format: {@code _us}, {@code _ms}, {@code bytes}, {@code _per_s} have units, other
 * fractions have two decimals. A missing figure is a dash.
 *
 * @param heading above it
 * @param text of each row
 */
public record Column(String heading, Function<Figures, String> text) {

    /** Stands for a missing figure. */
    public static final String NONE = "–";

    private static final Pattern UNIT = Pattern.compile("(?<=\\d) \\p{L}[\\p{L}/]*");

    /** The ending of a related figure's name. */
    private static final Pattern ENDING = Pattern.compile("(?<!\\w)_\\w+");

    /** Returns the column of a figure under a heading. */
    public static Column of(String heading, String figure) {
        return new Column(heading, row -> text(figure, row.get(figure)));
    }

    /**
     * Returns the columns that a text declares: {@code "operation | 99 %=p99_us | $"}. A figure follows its heading, or its
     * name is the heading; a {@code $} stands for the caller's next own column. After a figure may come signs, and endings
     * that name related figures: {@code insert_ms (_min.._max)}.
     */
    public static List<Column> all(String declaration, Column... own) {
        Iterator<Column> others = List.of(own).iterator();
        return Stream.of(declaration.split(" \\| ", -1))
                .map(each -> each.equals("$") ? others.next() : declared(each))
                .toList();
    }

    private static Column declared(String text) {
        int equals = text.indexOf('=');
        String figures = text.substring(equals + 1);
        String figure = figures.split(" ", 2)[0];
        String others = figures.substring(figure.length());
        return new Column(
                equals < 0 ? figure.replace('_', ' ') : text.substring(0, equals),
                row -> row.get(figure) == null
                        ? NONE
                        : withOneUnit(text(row, figure)
                                + ENDING.matcher(others).replaceAll(ending -> text(row, figure + ending.group()))));
    }

    /** Keeps a unit that all numbers share only after the last one. */
    private static String withOneUnit(String numbers) {
        List<String> units = UNIT.matcher(numbers)
                .results()
                .map(MatchResult::group)
                .distinct()
                .toList();
        if (units.size() != 1) {
            return numbers;
        }
        int last = numbers.lastIndexOf(units.getFirst());
        return numbers.substring(0, last).replace(units.getFirst(), "") + numbers.substring(last);
    }

    /** Returns a figure of a row for people. */
    public static String text(Figures row, String figure) {
        return text(figure, row.get(figure));
    }

    private static String text(String figure, @Nullable Object value) {
        return switch (value) {
            case null -> NONE;
            case Boolean flag -> flag ? "yes" : "no";
            case Number number -> text(figure, number);
            default -> value.toString();
        };
    }

    private static String text(String figure, Number number) {
        Unit unit = Unit.of(figure);
        if (unit != Unit.PLAIN) {
            return unit.text(number.doubleValue());
        }
        return number instanceof Long || number instanceof Integer
                ? String.format(Locale.ROOT, "%,d", number.longValue())
                : String.format(Locale.ROOT, "%.2f", number.doubleValue());
    }
}
