package dev.larder.lab.report;

import dev.larder.cli.Figures;
import java.util.List;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Horizontal bars of several groups, one below another in each category, with values beside them and category names of
 * any length at their left.
 *
 * <p>A bar's length is its value, from zero. A logarithmic axis has no zero, so it has points instead of bars.
 *
 * @param name of the file, without its ending
 * @param title above the chart
 * @param values the axis along the bars
 * @param categories their names
 * @param groups each with one bar for each category
 * @param stacked whether the bars of a category are stacked
 */
public record BarChart(
        String name, String title, Axis values, List<String> categories, List<Group> groups, boolean stacked)
        implements Chart {

    private static final double WIDE = 50;

    /**
     * One bar.
     *
     * @param value its length; NaN for none
     * @param low the minimum; NaN for no whisker
     * @param high the maximum; NaN for no whisker
     */
    public record Bar(double value, double low, double high) {

        /** A bar without a whisker. */
        public Bar(double value) {
            this(value, Double.NaN, Double.NaN);
        }

        /** Returns the bar of a figure; its whisker uses the figures with these endings. */
        public static Bar of(Figures row, String figure, String low, String high) {
            return new Bar(row.number(figure), row.number(figure + low), row.number(figure + high));
        }

        /** Returns the bar of a figure, with a whisker from its {@code _min} to its {@code _max}, or {@code _low} to {@code _high}. */
        static Bar of(Figures row, String figure) {
            return of(
                    row,
                    figure,
                    row.has(figure + "_min") ? "_min" : "_low",
                    row.has(figure + "_max") ? "_max" : "_high");
        }

        /** Returns the place of a missing bar. */
        public static Bar none() {
            return new Bar(Double.NaN);
        }

        boolean hasWhisker() {
            return Double.isFinite(low) && Double.isFinite(high) && Double.isFinite(value);
        }
    }

    /** The bars of one colour, one for each category. */
    public record Group(String name, List<Bar> bars) {

        /** A group of bars without whiskers. */
        public static Group of(String name, List<Double> values) {
            return new Group(name, values.stream().map(Bar::new).toList());
        }

        /** A group of a figure of each row, no whiskers. */
        public static Group of(String name, List<Figures> rows, String figure) {
            return of(name, rows.stream().map(row -> row.number(figure)).toList());
        }

        DoubleStream values() {
            return bars.stream().mapToDouble(Bar::value);
        }
    }

    public BarChart {
        categories = List.copyOf(categories);
        groups = List.copyOf(groups);
        int count = categories.size();
        if (groups.stream().anyMatch(group -> group.bars().size() != count)) {
            throw new IllegalArgumentException("a group of '" + title + "' has not one bar for each of " + count
                    + " categories: " + groups.stream().map(Group::name).toList());
        }
        if (stacked && values.scale() != Scale.LINEAR) {
            throw new IllegalArgumentException("bars are stacked on a linear axis only: '" + title + "'");
        }
    }

    /** Bars one below another. */
    public BarChart(String name, String title, Axis values, List<String> categories, List<Group> groups) {
        this(name, title, values, categories, groups, false);
    }

    /** Returns a bar for each row, in the row's category and group, in the order of first occurrence. */
    public static BarChart of(
            String name,
            String title,
            Axis values,
            List<Figures> rows,
            Function<Figures, String> category,
            Function<Figures, String> group,
            String figure) {
        List<String> categories = rows.stream().map(category).distinct().toList();
        List<Group> groups = rows.stream()
                .map(group)
                .distinct()
                .map(each -> new Group(
                        each,
                        categories.stream()
                                .map(wanted -> rows.stream()
                                        .filter(row -> group.apply(row).equals(each)
                                                && category.apply(row).equals(wanted))
                                        .findFirst()
                                        .map(row -> Bar.of(row, figure))
                                        .orElseGet(Bar::none))
                                .toList()))
                .toList();
        return new BarChart(name, title, values, categories, groups);
    }

    /** Returns the chart with each category's bars stacked. */
    public BarChart asStacked() {
        return new BarChart(name, title, values, categories, groups, true);
    }

    /** Returns the chart; on a logarithmic axis if the smallest value, beside the largest, would have no length. */
    public BarChart asPointsWhereWide() {
        double[] sorted = groups.stream()
                .flatMapToDouble(Group::values)
                .filter(value -> value > 0)
                .sorted()
                .toArray();
        boolean isWide = sorted.length > 0 && sorted[sorted.length - 1] > WIDE * sorted[0];
        return isWide ? new BarChart(name, title, values.logarithmic(), categories, groups, stacked) : this;
    }

    /** Returns how many bars a category has one below another. */
    int abreast() {
        return stacked ? 1 : groups.size();
    }

    /** Returns where a bar begins: on the one below it in a stack, or at the axis. */
    double base(int group, int category) {
        return stacked
                ? groups.subList(0, group).stream()
                        .mapToDouble(each -> each.bars().get(category).value())
                        .filter(Double::isFinite)
                        .sum()
                : Double.NaN;
    }

    /** Returns a bar's value for people, with its whisker. */
    String words(Bar bar) {
        String value = values.text(bar.value());
        return bar.hasWhisker()
                ? value + " (" + values.text(bar.low()) + " to " + values.text(bar.high()) + ")"
                : value;
    }

    /** Returns the range of the axis for every bar and whisker, and their values. */
    Range range() {
        return values.range(ends()).longer(0.1);
    }

    private DoubleStream ends() {
        if (stacked) {
            int all = groups.size();
            return IntStream.range(0, categories.size()).mapToDouble(category -> base(all, category));
        }
        return groups.stream()
                .flatMap(group -> group.bars().stream())
                .flatMapToDouble(bar -> DoubleStream.of(bar.value(), bar.low(), bar.high()));
    }

    /** Returns whether the axis has a zero, at which a bar can begin. */
    boolean hasZero() {
        return values.scale() == Scale.LINEAR;
    }

    boolean isEmpty() {
        return groups.stream().flatMapToDouble(Group::values).noneMatch(Double::isFinite);
    }
}
