package dev.larder.lab.study;

import dev.larder.lab.Experiment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * An experiment as it is declared.
 *
 * @param name the word after {@code larder lab}
 * @param type the record of its {@link Setting}s
 * @param experiment made from them
 * @param description of its claim, for the help
 */
public record Study<O extends Record>(
        String name, Class<O> type, Function<O, ? extends Experiment> experiment, List<String> description) {

    /** A study with its description in paragraphs. */
    public Study(String name, Class<O> type, Function<O, ? extends Experiment> experiment, String... description) {
        this(name, type, experiment, List.of(description));
    }

    /** Returns the options, each name once. */
    public List<Option> settings() {
        return List.copyOf(Option.all(type).values());
    }

    /**
     * Makes the options.
     *
     * @param given the texts of each option that was given
     * @param quick whether defaults are those of a quick run
     * @throws IllegalArgumentException that names the option, the value and what is accepted
     */
    public O options(Map<String, List<String>> given, boolean quick) {
        Map<String, List<String>> all = new HashMap<>(given);
        if (quick) {
            all.put(Option.QUICK, List.of("true"));
        }
        return Settings.of(type, all);
    }
}
