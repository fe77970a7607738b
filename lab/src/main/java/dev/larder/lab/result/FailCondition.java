package dev.larder.lab.result;

import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A condition on the figures of a result under which the run fails, such as {@code write_over_copy>1.6}.
 *
 * <p>The name is a figure's own name, wherever it occurs ({@code read_ms} means every one), or a path from the top
 * ({@code summary.beyond.write_ms.mean}). A missing or null figure fails: it proves nothing.
 *
 * @param name of the figure, or its path with dots
 * @param operator one of {@code > >= < <= == !=}
 * @param bound to compare the figure with
 */
public record FailCondition(String name, String operator, double bound) {

    private static final Pattern TEXT = Pattern.compile(
            "\\s*([A-Za-z_][\\w.-]*)\\s*(>=|<=|==|!=|>|<)\\s*([-+]?\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?)\\s*");

    /**
     * Returns the condition that a text names.
     *
     * @throws IllegalArgumentException with the given and the accepted text
     */
    public static FailCondition parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "not a condition: '" + text + "' (write FIGURE OPERATOR NUMBER, such as write_over_copy>1.6)");
        }
        return new FailCondition(matcher.group(1), matcher.group(2), Double.parseDouble(matcher.group(3)));
    }

    /** Returns why a result fails under this condition; null if it does not. */
    public @Nullable String reason(Figures result) {
        List<Double> found = new ArrayList<>();
        collect("", result, found);
        if (found.isEmpty()) {
            return "the result has no figure '" + name + "', so the lab cannot check '" + this + "'";
        }
        for (double figure : found) {
            if (Double.isNaN(figure)) {
                return "'" + name + "' has no value, so the lab cannot check '" + this + "'";
            }
            if (holds(figure)) {
                return name + " is " + figure + ": " + this;
            }
        }
        return null;
    }

    private void collect(String path, Figures figures, List<Double> found) {
        for (String key : figures.names()) {
            String at = path.isEmpty() ? key : path + "." + key;
            Object value = figures.get(key);
            if ((at.equals(name) || key.equals(name)) && (value == null || value instanceof Number)) {
                found.add(figures.number(key));
            }
            collect(at, figures.part(key), found);
            figures.rows(key).forEach(row -> collect(at, row, found));
        }
    }

    private boolean holds(double figure) {
        return switch (operator) {
            case ">" -> figure > bound;
            case ">=" -> figure >= bound;
            case "<" -> figure < bound;
            case "<=" -> figure <= bound;
            case "==" -> figure == bound;
            default -> figure != bound;
        };
    }

    @Override
    public String toString() {
        return name + operator + bound;
    }
}
