package dev.larder.lab.study;

import dev.larder.lab.Experiment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The declaration of an experiment.
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
     * @param given the texts of each given option
     * @param quick whether to use the defaults of a quick run
     * @throws IllegalArgumentException that names the option, the value and the accepted ones
     */
    public O options(Map<String, List<String>> given, boolean quick) {
        Map<String, List<String>> all = new HashMap<>(given);
        if (quick) {
            all.put(Option.QUICK, List.of("true"));
        }
        return Settings.of(type, all);
    }
}
