package dev.larder.queue;

import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.doubles.StrictStorage;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Queues on the storage that this pass of the tests runs on, which the property {@code larder.test.storage} names. */
final class TestQueues {

    private static final Storage STORAGE = choose();

    private TestQueues() {}

    private static Storage choose() {
        return switch (System.getProperty("larder.test.storage", "system")) {
            case "portable-strict" -> new StrictStorage();
            case "system" -> SystemStorage.system();
            default -> throw new IllegalStateException("larder.test.storage is neither system nor portable-strict");
        };
    }

    /** Returns the defaults, on this pass's storage. */
    static LogOptions defaults() {
        return HookedOptions.withStorage(LogOptions.defaults(), STORAGE);
    }

    /** Returns options with small segments, and no background work but what a test asks for. */
    static LogOptions options() {
        return defaults().withLargestSegmentBytes(2L << 20).withPrepareBytes(0).withSync(SyncPolicy.none());
    }

    static LarderQueue open(Path directory) {
        return LarderQueue.open(directory, options());
    }

    /** Reads to the end and returns the messages as texts. */
    static List<String> texts(Tailer tailer) {
        List<String> texts = new ArrayList<>();
        while (tailer.poll((segment, offset, length) -> texts.add(
                new String(segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8)))) {
            assert !texts.isEmpty();
        }
        return texts;
    }

    static List<String> texts(LarderQueue queue) {
        try (Tailer tailer = queue.tailer()) {
            return texts(tailer);
        }
    }
}
