package dev.larder.cli.output;

import static java.util.stream.Collectors.joining;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.log.Position;
import dev.larder.memory.LarderException;
import java.io.PrintStream;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The output of a record as an answer. Its components give the names and their order, so that the command reports the same as
 * the API.
 *
 * <p>{@code endPosition} becomes {@code end_position}. In text output, sizes get their unit.
 */
public final class RecordOutput {

    private RecordOutput() {}

    /** Prints a record as JSON, or as one line per component. */
    public static void print(Record record, boolean json, PrintStream out) {
        print(figures(record), json, out);
    }

    /** Prints figures as JSON, or as one line per figure. */
    public static void print(Figures figures, boolean json, PrintStream out) {
        out.print(json ? figures.toPrettyJson() : lines(figures));
        out.flush();
    }

    /** Returns the components of a record, and of the records within it. */
    public static Figures figures(Record record) {
        Figures figures = new Figures();
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            figures.put(snakeCase(component.getName()), plain(value(record, component)));
        }
        return figures;
    }

    private static @Nullable Object value(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new LarderException("cannot read " + component.getName() + " of " + record.getClass(), e);
        }
    }

    private static @Nullable Object plain(@Nullable Object value) {
        return switch (value) {
            case Record record -> figures(record);
            case Enum<?> constant -> constant.name().toLowerCase(Locale.ROOT);
            case Optional<?> optional -> plain(optional.orElse(null));
            case OptionalLong number -> number.isPresent() ? number.getAsLong() : null;
            case Instant time -> time.toString();
            case Collection<?> list -> list.stream().map(RecordOutput::plain).toList();
            case null, default -> value;
        };
    }

    private static String snakeCase(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }

    private static String lines(Figures figures) {
        int width = figures.names().stream().mapToInt(String::length).max().orElse(0);
        StringBuilder lines = new StringBuilder();
        for (String name : figures.names()) {
            String label = name.replace('_', ' ');
            lines.append(label)
                    .append(" ".repeat(width - label.length() + 2))
                    .append(text(name, figures))
                    .append('\n');
        }
        return lines.toString();
    }

    private static String text(String name, Figures figures) {
        Object value = figures.get(name);
        return switch (value) {
            case Number number when name.endsWith("bytes") -> ByteSize.format(number.longValue());
            case Number number when name.endsWith("position") -> position(number.longValue());
            case List<?> list ->
                list.isEmpty()
                        ? "none"
                        : list.stream().map(entry -> "\n  " + words(entry)).collect(joining());
            case null -> "-";
            default -> value.toString();
        };
    }

    /** Returns the text of an entry of a list; a record takes one line. */
    private static String words(Object entry) {
        return entry instanceof Figures part
                ? part.names().stream()
                        .map(name -> name.replace('_', ' ') + " " + text(name, part))
                        .collect(joining(", "))
                : String.valueOf(entry);
    }

    /** Returns a position both as in errors and as in JSON. */
    private static String position(long position) {
        return Position.toString(position) + " (" + position + ")";
    }
}
