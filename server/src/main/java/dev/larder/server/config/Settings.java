package dev.larder.server.config;

import dev.larder.resp.RequestLimits;
import dev.larder.server.config.Parameter.Change;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The values of a server's parameters. A part of the server that uses one registers with {@link #onChange}, and keeps the
 * value in a field: nothing is looked up here while a command runs. Thread-safe.
 */
public final class Settings {

    private static final int BULK_MAX_BYTES = Integer.MAX_VALUE - (64 << 10);
    private static final String IMMUTABLE = "can't set immutable config";

    /** Parameters whose change cannot be taken back: the default user has then lost the passwords that it had. */
    private static final Set<String> FINAL = Set.of("requirepass");

    private final Map<String, String> values = new ConcurrentHashMap<>();
    private final Map<String, List<Consumer<String>>> listeners = new ConcurrentHashMap<>();

    /** Creates the default values of a server. */
    public Settings() {
        Parameters.list().forEach(parameter -> values.put(parameter.name(), parameter.standard()));
    }

    /** Returns a copy of the present values. It changes independently, and calls no listeners. */
    public Settings copy() {
        Settings copy = new Settings();
        copy.values.putAll(values);
        return copy;
    }

    /** Returns a value by its parameter's name. */
    public String text(String name) {
        return Objects.requireNonNull(values.get(name), name);
    }

    /** Returns a value that is an integer, or a number of bytes. */
    public long whole(String name) {
        return Long.parseLong(text(name));
    }

    /** Returns a value that is yes or no. */
    public boolean truth(String name) {
        return text(name).equals("yes");
    }

    /** Returns the words of a value. */
    public List<String> words(String name) {
        return ValueTypes.words(text(name));
    }

    /** Returns how large requests may be. */
    public RequestLimits requestLimits() {
        long most = whole("proto-max-bulk-len");
        return RequestLimits.defaults().withBulkMaxBytes((int) Math.min(most, BULK_MAX_BYTES));
    }

    /** Returns whether a value differs from its default. */
    public boolean isChanged(Parameter parameter) {
        return !text(parameter.name()).equals(parameter.standard());
    }

    /**
     * Sets a value before the server starts, whatever its parameter's time of change.
     *
     * @throws SettingException if there is no such parameter, or the value does not fit
     */
    public void start(String name, String value) {
        Parameter parameter = require(name);
        values.put(parameter.name(), parameter.canonical(value, text(parameter.name())));
    }

    private static Parameter require(String name) {
        Parameter parameter = Parameters.find(name);
        if (parameter == null) {
            throw new SettingException(name, "Bad directive or wrong number of arguments");
        }
        return parameter;
    }

    /**
     * Passes a value on at once, and each time that it changes. A {@link SettingException} from the listener refuses the
     * value.
     */
    public void onChange(String name, Consumer<String> apply) {
        synchronized (this) {
            afterChange(name, apply);
            apply.accept(text(name));
        }
    }

    /** Passes a value on each time that it changes, as {@link #onChange}, and not before. */
    public void afterChange(String name, Consumer<String> apply) {
        listeners
                .computeIfAbsent(require(name).name(), key -> new CopyOnWriteArrayList<>())
                .add(apply);
    }

    /**
     * Changes values while the server runs: all, or none if one does not fit.
     *
     * @param changes values by the names of their parameters
     * @throws SettingException which says why none was changed
     */
    public synchronized void change(Map<String, String> changes) {
        Map<String, String> canonical = new LinkedHashMap<>();
        changes.forEach((name, value) -> {
            Parameter parameter = require(name);
            String now = text(parameter.name());
            canonical.put(parameter.name(), checkedChange(parameter, value, now));
        });
        Map<String, String> before = new LinkedHashMap<>();
        canonical.keySet().forEach(name -> before.put(name, text(name)));
        List<String> told = new ArrayList<>();
        try {
            values.putAll(canonical); // first: a listener for one may read the others
            inOrder(canonical).forEach(name -> {
                told.add(name);
                tell(name, text(name));
            });
        } catch (RuntimeException | Error e) {
            values.putAll(before);
            tellAgain(told, e);
            throw e;
        }
    }

    /** Returns the names in the order of their listeners' calls: what cannot be taken back comes behind what may be refused. */
    private static List<String> inOrder(Map<String, String> changes) {
        return changes.keySet().stream()
                .sorted(Comparator.comparing(FINAL::contains))
                .toList();
    }

    private void tellAgain(List<String> told, Throwable error) {
        told.forEach(name -> {
            try {
                tell(name, text(name));
            } catch (RuntimeException | Error e) { // the other listeners are called nevertheless
                error.addSuppressed(e);
            }
        });
    }

    private static String checkedChange(Parameter parameter, String value, String now) {
        if (parameter.change() == Change.PROTECTED) {
            throw new SettingException(parameter.name(), "can't set protected config");
        }
        String next = parameter.canonical(value, now);
        if (parameter.change() == Change.ANY_TIME || next.equals(now)) {
            return next;
        }
        throw new SettingException(parameter.name(), IMMUTABLE);
    }

    private void tell(String name, String value) {
        try {
            listeners.getOrDefault(name, List.of()).forEach(listener -> listener.accept(value));
        } catch (SettingException e) {
            throw e.of(name);
        }
    }
}
