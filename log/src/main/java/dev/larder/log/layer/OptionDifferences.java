package dev.larder.log.layer;

import dev.larder.log.LogOptions;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The options in which two openings differ, in the words of an error: {@code layout.prepareBytes is 0, asked for 4096}. */
public final class OptionDifferences {

    private final List<String> found = new ArrayList<>();

    private OptionDifferences() {}

    /**
     * Returns the differences, or {@code hooks} where no option differs.
     *
     * @param open the options of the existing opening: {@link LogOptions}, or a record
     * @param asked the options of another opening, of the same type
     */
    public static String of(Object open, Object asked) {
        OptionDifferences differences = new OptionDifferences();
        differences.compare("", open, asked);
        return differences.found.isEmpty() ? "hooks" : String.join("; ", differences.found);
    }

    private void compare(String name, Object open, Object asked) {
        if (open.equals(asked)) {
            return;
        }
        if (open instanceof LogOptions one && asked instanceof LogOptions other) {
            compareLogs(name, one, other);
        } else if (open instanceof Record && open.getClass().equals(asked.getClass()) && isReadable(open)) {
            for (RecordComponent component : open.getClass().getRecordComponents()) {
                compare(join(name, component.getName()), value(open, component), value(asked, component));
            }
        } else {
            found.add(name + " is " + open + ", asked for " + asked);
        }
    }

    private void compareLogs(String name, LogOptions open, LogOptions asked) {
        compare(join(name, "layout"), open.layout(), asked.layout());
        compare(join(name, "durability"), open.durability(), asked.durability());
        compare(join(name, "retention"), open.retention(), asked.retention());
        compare(join(name, "access"), open.access(), asked.access());
    }

    private static String join(String name, String component) {
        return name.isEmpty() ? component : name + "." + component;
    }

    private static boolean isReadable(Object options) {
        return Modifier.isPublic(options.getClass().getModifiers());
    }

    private static Object value(Object options, RecordComponent component) {
        try {
            return Objects.requireNonNullElse(component.getAccessor().invoke(options), "none");
        } catch (ReflectiveOperationException e) {
            return "unknown"; // the other components still describe it
        }
    }
}
