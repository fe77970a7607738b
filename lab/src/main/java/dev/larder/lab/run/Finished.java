package dev.larder.lab.run;

import dev.larder.cli.Figures;
import dev.larder.lab.result.ResultFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The samples of a run: new ones, and those of an interrupted run of the same options, seed and revision, which are not
 * measured again. A sample of several rows has them as {@code rows}.
 */
public final class Finished {

    private static final double SAME = 0.001;

    private final ResultFolder folder;
    private final List<Figures> samples;

    /** The samples of an earlier run. */
    public Finished(ResultFolder folder, List<Figures> earlier) {
        this.folder = folder;
        samples = new ArrayList<>(earlier);
    }

    /** Adds a new sample, and keeps it in the result folder. */
    public Figures add(Figures sample) {
        samples.add(sample);
        folder.addSample(sample);
        return sample;
    }

    /** Returns the last sample that has all of these figures. */
    public Optional<Figures> find(Figures key) {
        return samples.stream().filter(sample -> has(sample, key)).reduce((earlier, later) -> later);
    }

    /** As {@link #find}; empty if one of its rows is void: it may succeed now. */
    public Optional<Figures> findValid(Figures key) {
        return find(key).filter(sample -> sample.rows("rows").stream().allMatch(row -> row.flag("valid")));
    }

    private static boolean has(Figures sample, Figures key) {
        return key.names().stream()
                .allMatch(name -> Objects.equals(sample.get(name), key.get(name))
                        || Math.abs(sample.number(name) - key.number(name)) < SAME);
    }
}
