package dev.larder.lab.study;

import dev.larder.cli.Figures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Records of {@link Setting}s: made from given options, checked, and written to a result. */
public final class Settings {

    private static final String NONE = "none";
    private static final Pattern OTHER = Pattern.compile("(?:(\\d+)x)?(--[a-z-]+)");

    private final Map<String, Option> known;
    private final Map<String, List<String>> given;

    private Settings(Class<? extends Record> type, Map<String, List<String>> given) {
        known = Option.all(type);
        this.given = given;
    }

    /**
     * Makes a record.
     *
     * @param given the texts of each given option; {@code true} for a given flag
     * @throws IllegalArgumentException that names the option, the value and the accepted ones
     */
    public static <R extends Record> R of(Class<R> type, Map<String, List<String>> given) {
        return new Settings(type, given).make(type);
    }

    /** Makes a record from a command line, for tests: {@code "--rounds", "3"}. A later option replaces an earlier one. */
    public static <R extends Record> R parse(Class<R> type, String... arguments) {
        Map<String, Option> known = Option.all(type);
        Map<String, List<String>> given = new LinkedHashMap<>();
        for (int at = 0; at < arguments.length; at++) {
            boolean hasValue = at + 1 < arguments.length && !arguments[at + 1].startsWith("--");
            Option option = known.get(arguments[at]);
            List<String> texts = hasValue ? split(option, arguments[at + 1]) : List.of("true");
            given.put(arguments[at], texts);
            at += hasValue ? 1 : 0;
        }
        return of(type, given);
    }

    private static List<String> split(@Nullable Option option, String text) {
        return option != null && option.isList() ? List.of(text.split(",", -1)) : List.of(text);
    }

    private <R extends Record> R make(Class<R> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<R> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true); // for package-private records
            return constructor.newInstance(
                    Arrays.stream(components).map(this::value).toArray());
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private @Nullable Object value(RecordComponent component) {
        Option option = Option.of(component);
        if (isGroup(component, option)) {
            return option == null || isGiven(option.name())
                    ? make(component.getType().asSubclass(Record.class))
                    : null;
        }
        if (option == null) {
            throw new IllegalStateException(component + " is neither a setting nor a group of them");
        }
        @Nullable Object value;
        try {
            value = value(option);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException(option.name() + ": " + e.getMessage(), e);
        }
        (value instanceof List<?> list ? list.stream() : Stream.ofNullable(value)).forEach(option::check);
        return value;
    }

    private static boolean isGroup(RecordComponent component, @Nullable Option option) {
        return component.getType().isRecord() && (option == null || option.form() == Form.FLAG);
    }

    private @Nullable Object value(Option option) {
        if (option.form() == Form.FLAG) {
            return isGiven(option.name()) != option.name().startsWith("--no-");
        }
        List<String> texts = texts(option);
        if (option.isList()) {
            return texts.stream().map(text -> value(option, text)).toList();
        }
        boolean isNone = texts.equals(List.of(NONE)) && !option.type().isPrimitive();
        if (texts.size() > 1) {
            throw new IllegalArgumentException("has one value, found " + String.join(" and ", texts));
        }
        return texts.isEmpty() || isNone ? null : value(option, texts.getFirst());
    }

    private List<String> texts(Option option) {
        List<String> texts = given.get(option.name());
        return texts == null ? standard(option) : texts;
    }

    private List<String> standard(Option option) {
        String text = standardText(option);
        Matcher other = OTHER.matcher(text);
        if (!other.matches()) {
            return text.isEmpty() ? List.of() : split(option, text);
        }
        Option named = Objects.requireNonNull(known.get(other.group(2)), text);
        long times = other.group(1) == null ? 1 : Long.parseLong(other.group(1));
        return texts(named).stream()
                .map(each -> String.valueOf(times * ((Number) named.form().parse(each)).longValue()))
                .toList();
    }

    private String standardText(Option option) {
        return option.when().entrySet().stream()
                .filter(each -> Arrays.stream(each.getKey().split(" ", -1)).allMatch(this::holds))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseGet(
                        () -> isGiven(Option.QUICK) && !option.quick().isEmpty() ? option.quick() : option.standard());
    }

    private boolean holds(String condition) {
        int equals = condition.indexOf('=');
        return equals < 0
                ? isGiven(condition)
                : List.of(condition.substring(equals + 1)).equals(given.get(condition.substring(0, equals)));
    }

    private boolean isGiven(String name) {
        return given.containsKey(name);
    }

    private static Object value(Option option, String text) {
        Class<?> type = option.type();
        Object value = option.form().parse(text.strip());
        return switch (value) {
            case String word when type != String.class -> named(type, word);
            case Duration time when type != Duration.class -> (Object) (time.toNanos() / 1e9);
            case Number number when isEither(type, int.class, Integer.class) -> Math.toIntExact(whole(number));
            case Number number when isEither(type, long.class, Long.class) -> whole(number);
            case Number number when isEither(type, double.class, Double.class) -> number.doubleValue();
            default -> value;
        };
    }

    private static long whole(Number number) {
        long whole = number.longValue();
        if (whole != number.doubleValue()) {
            throw new IllegalArgumentException("not a whole number: " + number);
        }
        return whole;
    }

    private static boolean isEither(Class<?> type, Class<?> one, Class<?> other) {
        return type == one || type == other;
    }

    /** Returns a word's value: by a static method {@code named} or {@code parse}, or a constant. */
    private static Object named(Class<?> type, String word) {
        for (Method method : type.getMethods()) {
            boolean isParser =
                    method.getName().equals("named") || method.getName().equals("parse");
            if (isParser && List.of(method.getParameterTypes()).equals(List.of(String.class))) {
                return called(method, word);
            }
        }
        return Stream.of(type.getEnumConstants())
                .filter(constant -> Option.word(constant).equalsIgnoreCase(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + word + "' is not one of "
                        + Stream.of(type.getEnumConstants()).map(Option::word).toList()));
    }

    private static Object called(Method parser, String word) {
        try {
            return parser.invoke(null, word);
        } catch (InvocationTargetException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new IllegalArgumentException(cause.getMessage(), cause);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a record's figures for a result. */
    public static Figures figures(Record settings) {
        Figures figures = new Figures();
        for (RecordComponent component : settings.getClass().getRecordComponents()) {
            Option option = Option.of(component);
            Object value = read(settings, component);
            if (isGroup(component, option)) {
                figures.putAll(value instanceof Record group ? figures(group) : new Figures());
            } else if (option != null && option.form() != Form.DIRECTORY && option.form() != Form.SEED) {
                put(figures, component.getName(), value);
            }
        }
        return figures;
    }

    /**
     * Returns the size and the time of change of each file that a record names, since a result has only the name. For a
     * folder, it returns those of all files in it.
     */
    public static Figures files(Record settings) {
        Figures files = new Figures();
        for (RecordComponent component : settings.getClass().getRecordComponents()) {
            Option option = Option.of(component);
            Object value = read(settings, component);
            if (isGroup(component, option)) {
                files.putAll(value instanceof Record group ? files(group) : new Figures());
            } else if (value instanceof Path file && option != null && option.form() == Form.FILE) {
                files.put(component.getName(), state(file));
            }
        }
        return files;
    }

    private static Figures state(Path place) {
        try (Stream<Path> files = Files.walk(place, FileVisitOption.FOLLOW_LINKS)) {
            long bytes = 0;
            Instant changed = Instant.EPOCH;
            for (Path file : (Iterable<Path>) files::iterator) {
                BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
                bytes += attributes.isRegularFile() ? attributes.size() : 0;
                Instant own = attributes.lastModifiedTime().toInstant();
                changed = own.isAfter(changed) ? own : changed;
            }
            return new Figures().put("bytes", bytes).put("changed", changed);
        } catch (IOException | UncheckedIOException e) {
            return new Figures(); // its reader reports the error
        }
    }

    /** Returns the value of an option of a record or of its groups; null if it has none. */
    static @Nullable Object find(Record settings, String name) {
        for (RecordComponent component : settings.getClass().getRecordComponents()) {
            Option option = Option.of(component);
            Object value = read(settings, component);
            Object found = option != null && option.name().equals(name)
                    ? value
                    : isGroup(component, option) && value instanceof Record group ? find(group, name) : null;
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static @Nullable Object read(Record settings, RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(settings);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void put(Figures figures, String component, @Nullable Object value) {
        String name = component
                .replace("PerSecond", "PerS")
                .replaceAll("([a-z])([A-Z0-9])", "$1_$2")
                .toLowerCase(Locale.ROOT);
        switch (value) {
            case Duration time -> figures.put(name + "_ms", time.toNanos() / 1e6);
            case Path file -> figures.put(name, file.getFileName());
            case Enum<?> constant -> figures.put(name, Option.word(constant));
            case null, default -> figures.put(name, value);
        }
    }
}
