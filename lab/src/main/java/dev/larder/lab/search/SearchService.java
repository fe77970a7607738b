package dev.larder.lab.search;

import dev.larder.lab.load.Service;
import dev.larder.lab.search.index.SearchDocuments;
import dev.larder.lab.search.index.SearchTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Serves searches and updates of an index. Without updates, it knows what each task must find. */
final class SearchService implements Service {

    /** The status of a search whose answer changed without an update. */
    static final int WRONG = 2;

    private final SearchTasks tasks;
    private final ServedIndex index;
    private final Answering answering;
    private final @Nullable SearchDocuments documents;
    private volatile long[] right = {};

    /** Runs a task; a number stands for everything found. */
    @FunctionalInterface
    interface Answering {
        long answer(SearchTask task, ServedIndex index) throws IOException;
    }

    /**
     * A service.
     *
     * @param documents for updates; null for a read-only index
     */
    SearchService(SearchTasks tasks, ServedIndex index, Answering answering, @Nullable SearchDocuments documents) {
        this.tasks = tasks;
        this.index = index;
        this.answering = answering;
        this.documents = documents;
    }

    /** Answers every task once; later answers must be the same, unless there are updates. */
    long[] answers() throws IOException {
        long[] found = new long[tasks.count()];
        for (int task = 0; task < found.length; task++) {
            found[task] = answer(task);
        }
        right = index.isUpdatable() ? new long[0] : found;
        return found;
    }

    private long answer(int task) throws IOException {
        return answering.answer(tasks.task(task), index);
    }

    /** Runs a task, and returns whether its answer is right, as far as that is known. */
    boolean isRight(int task, SearchTask asked) throws IOException {
        long found = answering.answer(asked, index);
        long[] known = right;
        return known.length == 0 || known[task] == found;
    }

    @Override
    public int serve(int kind, long argument, byte[] payload) {
        try {
            if (kind == tasks.updateKind()) {
                return update(argument);
            }
            return isRight((int) argument, SearchTask.of(payload)) ? SERVED : WRONG;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int update(long number) throws IOException {
        SearchDocuments texts = documents;
        if (texts == null) {
            return FAILED;
        }
        index.update(texts, number);
        return SERVED;
    }
}
