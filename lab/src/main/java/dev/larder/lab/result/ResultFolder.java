package dev.larder.lab.result;

import dev.larder.cli.Figures;
import dev.larder.memory.LarderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The folder that a run leaves: {@code result.json}, {@code samples.jsonl} (one line per sample, in order), plots,
 * {@code report.html}, and the logs of the child processes.
 */
public final class ResultFolder {

    private static final String SAMPLES = "samples.jsonl";
    private static final String SAMPLES_OF = "samples-of.json";

    private final Path directory;

    /** Creates the folder if missing. */
    public ResultFolder(Path directory) {
        this.directory = Directories.create(directory);
    }

    /** Returns the folder itself. */
    public Path directory() {
        return directory;
    }

    /** Returns a file of the folder. */
    public Path file(String name) {
        return directory.resolve(name);
    }

    /**
     * Creates a folder in this one that the lab owns.
     *
     * @throws LabException if it exists, and the lab has not made it
     */
    public Path claim(String name) {
        return Directories.claim(file(name), "name another --out, or move it away");
    }

    /** Returns the result of an earlier run in this folder; empty if there is none. */
    public Optional<Figures> result() {
        try {
            return Optional.of(Figures.parse(Files.readString(file("result.json"))));
        } catch (IOException | LarderException e) {
            return Optional.empty();
        }
    }

    /** Writes a text atomically: the file is complete or unchanged. */
    public void write(String name, String text) {
        Path partial = file(name + ".partial");
        Attempt.to("write " + file(name), () -> {
            Files.writeString(partial, text);
            Files.move(partial, file(name), StandardCopyOption.REPLACE_EXISTING);
        });
    }

    /** Keeps the histogram log of a load, whose responses are removed with the data. */
    public void keepHistograms(String name, String log) {
        Directories.create(file("histograms"));
        write("histograms/" + name + ".hlog", log);
    }

    /** Adds one raw sample; it survives a kill of the run. */
    public void addSample(Figures sample) {
        Path file = file(SAMPLES);
        Attempt.to(
                "write " + file,
                () -> Files.writeString(
                        file, sample.toJson() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND));
    }

    /** Removes the samples of an earlier run. */
    public void clearSamples() {
        for (String name : List.of(SAMPLES_OF, SAMPLES)) {
            Attempt.to("delete " + file(name), () -> Files.deleteIfExists(file(name)));
        }
    }

    /**
     * Returns the samples of an earlier run of this identity: further ones are added to them. Removes samples of any
     * other run.
     *
     * @param identity the facts that make two runs the same, kept in {@code samples-of.json}
     */
    public List<Figures> continueSamples(Figures identity) {
        List<Figures> samples = isOf(identity) ? readSamples() : List.of();
        clearSamples();
        write(SAMPLES_OF, identity.toJson() + "\n");
        samples.forEach(this::addSample);
        return samples;
    }

    private boolean isOf(Figures identity) {
        try {
            return Files.readString(file(SAMPLES_OF)).strip().equals(identity.toJson());
        } catch (IOException e) {
            return false;
        }
    }

    /** Ignores half a line at the end, which a killed run may have left. */
    private List<Figures> readSamples() {
        List<Figures> samples = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(file(SAMPLES))) {
                samples.add(Figures.parse(line));
            }
        } catch (IOException | LarderException e) {
            return samples;
        }
        return samples;
    }
}
