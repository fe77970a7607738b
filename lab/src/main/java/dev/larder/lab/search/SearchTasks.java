package dev.larder.lab.search;

import dev.larder.lab.result.Attempt;
import dev.larder.lab.search.index.QueryPlan;
import dev.larder.lab.search.index.SearchTask;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tasks for an index, and the kinds of request of the tasks and of updates. */
final class SearchTasks {

    /** The kind of a request that updates a document. */
    static final String UPDATE = "update";

    private final List<SearchTask> tasks;
    private final List<String> kinds;
    private final int[] kindOf;

    /** Numbers the kinds in order; updates are last. */
    SearchTasks(List<SearchTask> tasks) {
        this.tasks = List.copyOf(tasks);
        LinkedHashSet<String> labels = new LinkedHashSet<>();
        tasks.forEach(task -> labels.add(task.kind().label()));
        kinds = new ArrayList<>(labels);
        kinds.add(UPDATE);
        kindOf = this.tasks.stream()
                .mapToInt(task -> kinds.indexOf(task.kind().label()))
                .toArray();
    }

    /** Reads tasks of a plan. */
    static SearchTasks read(Path file) {
        return Attempt.giving(
                "read the tasks in " + file,
                () -> new SearchTasks(QueryPlan.read(file).tasks()));
    }

    static SearchTasks of(Stream<String> lines) {
        return new SearchTasks(lines.map(SearchTask::of).toList());
    }

    /** Returns a line for each. */
    String text() {
        return tasks.stream().map(SearchTask::line).collect(Collectors.joining("\n"));
    }

    int count() {
        return tasks.size();
    }

    SearchTask task(int number) {
        return tasks.get(number);
    }

    /** Returns the names of all kinds of request. */
    List<String> kinds() {
        return kinds;
    }

    /** Returns the names of the kinds that search. */
    List<String> searches() {
        return kinds.subList(0, updateKind());
    }

    /** Returns the kind of a task, as an index of {@link #kinds}. */
    int kind(int task) {
        return kindOf[task];
    }

    int updateKind() {
        return kinds.size() - 1;
    }
}
