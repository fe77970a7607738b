package dev.larder.log.layer;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tasks by the time at which they are due, the earliest first: a binary heap in which each task knows its place. Allocates in
 * {@link #reserve} alone, so that no task can be lost for lack of memory. Not thread-safe.
 */
final class DueTasks {

    /** The place of a task that is not in the heap. */
    static final int NOWHERE = -1;

    private static final int ROOM_MIN = 16;

    private @Nullable BackgroundTask[] heap = new BackgroundTask[ROOM_MIN];
    private int size;

    /** Makes room for so many tasks. */
    void reserve(int tasks) {
        if (tasks > heap.length) {
            heap = Arrays.copyOf(heap, Math.max(tasks, 2 * heap.length));
        }
    }

    /** Returns the task that is due first, or null. */
    @Nullable
    BackgroundTask first() {
        return heap[0];
    }

    /** Adds a task, or moves it to another time. */
    void put(BackgroundTask task, long dueNanos) {
        task.dueNanos = dueNanos;
        if (task.place == NOWHERE) {
            size++;
            rise(size - 1, task);
        } else {
            settle(task.place, task);
        }
    }

    /** Removes a task, if it is there. */
    void remove(BackgroundTask task) {
        int place = task.place;
        if (place != NOWHERE) {
            size--;
            BackgroundTask last = at(size);
            heap[size] = null;
            if (last != task) {
                settle(place, last);
            }
            task.place = NOWHERE;
        }
    }

    private void settle(int place, BackgroundTask task) {
        rise(place, task);
        if (task.place == place) {
            sink(place, task);
        }
    }

    private void rise(int from, BackgroundTask task) {
        int place = from;
        while (place > 0 && isBefore(task, at((place - 1) >>> 1))) {
            set(place, at((place - 1) >>> 1));
            place = (place - 1) >>> 1;
        }
        set(place, task);
    }

    private void sink(int from, BackgroundTask task) {
        int place = from;
        int child = earlierChild(place);
        while (child < size && isBefore(at(child), task)) {
            set(place, at(child));
            place = child;
            child = earlierChild(place);
        }
        set(place, task);
    }

    /** Returns the child of a place that is due first; a place behind the heap where there is none. */
    private int earlierChild(int place) {
        int left = 2 * place + 1;
        return left + 1 < size && isBefore(at(left + 1), at(left)) ? left + 1 : left;
    }

    private static boolean isBefore(BackgroundTask one, BackgroundTask other) {
        return one.dueNanos - other.dueNanos < 0;
    }

    private BackgroundTask at(int place) {
        return Objects.requireNonNull(heap[place]);
    }

    private void set(int place, BackgroundTask task) {
        heap[place] = task;
        task.place = place;
    }
}
