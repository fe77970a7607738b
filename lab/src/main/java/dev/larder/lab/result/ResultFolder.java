package dev.larder.lab.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The folder that a run leaves: {@code result.json}, {@code samples.jsonl} (one line a sample, as they came), plots,
 * {@code report.html}, and the logs of the child processes.
 */
public final class ResultFolder {

    private final Path directory;

    /** Makes the folder where it is missing. */
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

    /** Returns the result of an earlier run in this folder; empty when there is none. */
    public Optional<Figures> result() {
        try {
            return Optional.of(Figures.parse(Files.readString(file("result.json"))));
        } catch (IOException | LabException e) {
            return Optional.empty();
        }
    }

    /** Writes a text in one step: it is there whole or as it was. */
    public void write(String name, String text) {
        Path partial = file(name + ".partial");
        try {
            Files.writeString(partial, text);
            Files.move(partial, file(name), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new LabException("cannot write " + file(name) + ": " + e.getMessage(), e);
        }
    }

    /** Adds one raw sample; it survives even if the run is killed. */
    public void addSample(Figures sample) {
        Path file = file("samples.jsonl");
        try {
            Files.writeString(file, sample.toJson() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Begins samples whose first line says of which run they are.
     *
     * @param identity of the run
     * @param kept whether samples of a run of the same identity stay
     * @return how many samples there are already
     */
    public int beginSamples(Figures identity, boolean kept) {
        Figures header = new Figures().put("run", identity);
        List<Figures> lines = kept ? lines() : List.of();
        boolean same = !lines.isEmpty() && lines.getFirst().equals(header);
        List<Figures> stay = same ? lines : List.of(header);
        write("samples.jsonl", stay.stream().map(line -> line.toJson() + "\n").collect(Collectors.joining()));
        return stay.size() - 1;
    }

    /** Returns the samples that there are, without a first line that says of which run they are. */
    public List<Figures> samples() {
        return lines().stream().filter(line -> !line.has("run")).toList();
    }

    /** Returns the whole lines; the last one may be half of one when the run was killed. */
    private List<Figures> lines() {
        Path file = file("samples.jsonl");
        if (!Files.exists(file)) {
            return List.of();
        }
        try {
            return Files.readAllLines(file).stream().flatMap(ResultFolder::line).toList();
        } catch (IOException e) {
            throw new LabException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static Stream<Figures> line(String text) {
        try {
            return Stream.of(Figures.parse(text));
        } catch (LabException e) {
            return Stream.empty();
        }
    }

    /** Removes the samples of an earlier run. */
    public void clearSamples() {
        try {
            Files.deleteIfExists(file("samples.jsonl"));
        } catch (IOException e) {
            throw new LabException("cannot delete " + file("samples.jsonl") + ": " + e.getMessage(), e);
        }
    }
}
