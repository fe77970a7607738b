package dev.larder.lab.search.index;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.IndexReader;

/**
 * The tasks of an experiment: so many of each kind, derived from the term frequencies and the document texts of an index. The
 * same index and seed give the same tasks, whatever its segments.
 *
 * @param tasks kind by kind
 */
public record QueryPlan(List<SearchTask> tasks) {

    /** The number of tasks of a kind in the experiment of 2012. */
    public static final int TASKS_A_KIND = 500;

    private static final String COMMENT = "#";
    private static final int MOST_A_KIND = 10_000;

    /** Keeps the tasks as they are. */
    public QueryPlan {
        tasks = List.copyOf(tasks);
    }

    /**
     * Derives tasks from an index that {@link SearchIndex} built.
     *
     * @param tasksAKind 1 to 10,000; {@link QueryKind#HIGHLIGHT} has fewer if there are fewer terms
     * @throws LabException if the index is too small for a kind
     */
    public static QueryPlan derive(IndexReader reader, int tasksAKind, long seed) throws IOException {
        if (tasksAKind < 1 || tasksAKind > MOST_A_KIND) {
            throw new IllegalArgumentException("tasks a kind: " + tasksAKind + " is not from 1 to " + MOST_A_KIND);
        }
        return new QueryPlan(new TaskDerivation(reader, tasksAKind, seed).tasks());
    }

    /** Returns the tasks of a kind. */
    public List<SearchTask> of(QueryKind kind) {
        return tasks.stream().filter(task -> task.kind() == kind).toList();
    }

    /** Returns the kinds with tasks: all, except vectors if the index has none. */
    public Set<QueryKind> kinds() {
        Set<QueryKind> kinds = EnumSet.noneOf(QueryKind.class);
        tasks.forEach(task -> kinds.add(task.kind()));
        return kinds;
    }

    /** Writes the tasks for people: a line each. */
    public void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(COMMENT + " " + tasks.size() + " tasks, KIND: WORDS");
        tasks.forEach(task -> lines.add(task.line()));
        Files.write(file, lines);
    }

    /**
     * Reads written tasks.
     *
     * @throws LabException if a line is not a task, naming file and line
     */
    public static QueryPlan read(Path file) throws IOException {
        List<SearchTask> tasks = new ArrayList<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (!line.isBlank() && !line.startsWith(COMMENT)) {
                tasks.add(task(line, file, number));
            }
        }
        return new QueryPlan(tasks);
    }

    private static SearchTask task(String line, Path file, int number) {
        try {
            return SearchTask.of(line);
        } catch (IllegalArgumentException e) {
            throw new LabException(file.getFileName() + ": line " + number + ": " + e.getMessage(), e);
        }
    }
}
