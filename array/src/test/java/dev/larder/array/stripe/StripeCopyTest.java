package dev.larder.array.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.array.pull.HeldFiles;
import dev.larder.array.stripe.StripeState.Place;
import dev.larder.log.layer.LogCopy;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a store, copied while entries are applied, lead to the moment at which the store was held. */
final class StripeCopyTest {

    private static final int BEFORE = 60;
    private static final int MEANWHILE = 60;
    private static final int AFTER = 20;

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private static void apply(StoreStripe stripe, EntryScript script, long from, long to) {
        for (long index = from; index < to; index++) {
            stripe.apply(new Place(1, index), script.entry(index));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        HeldFiles files = new HeldFiles(from, from.resolveSibling("none"), from.resolveSibling("none"));
        List<String> lines =
                new String(files.list(), StandardCharsets.UTF_8).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String[] line = lines.get(i).split(" ", 2);
            Path target = to.resolve(line[1].substring("store/".length()));
            Files.createDirectories(target.getParent());
            Files.write(target, files.read(i, 0, Integer.parseInt(line[0])).array());
            if (LogCopy.isControl(target)) {
                LogCopy.settle(target);
            }
        }
    }

    @Test
    void filesThatAreCopiedMeanwhileLeadToTheHeldMoment() throws Exception {
        int runs = Effort.of(1, 3, 200);
        for (long seed = 1; seed <= runs; seed++) {
            EntryScript script = new EntryScript(seed);
            Path folder = directory.resolve("source" + seed);
            Path copied = directory.resolve("copy" + seed);
            long end = BEFORE + MEANWHILE + AFTER;
            try (StoreStripe source = StripeProgram.open(folder);
                    StoreStripe reference = StripeProgram.open(directory.resolve("reference" + seed))) {
                apply(source, script, 0, BEFORE / 2);
                source.sync();
                apply(source, script, BEFORE / 2, BEFORE);
                try (HeldMoment held = source.hold(Long.MAX_VALUE, Long.MAX_VALUE)) {
                    assertThat(held.place()).isEqualTo(new Place(1, BEFORE - 1));
                    CompletableFuture<Void> applied = OtherThread.run(() -> {
                        apply(source, script, BEFORE, BEFORE + MEANWHILE);
                        source.sync();
                    });
                    copy(folder, copied);
                    applied.get(1, TimeUnit.MINUTES);
                    assertThat(held.isOpen()).isTrue();
                    assertThat(source.durable()).isEqualTo(held.place());
                }
                source.sync();
                assertThat(source.durable().index()).isEqualTo(BEFORE + MEANWHILE - 1);
                apply(source, script, BEFORE + MEANWHILE, end);
                apply(reference, script, 0, BEFORE);
                try (StoreStripe copy = StripeProgram.open(copied)) {
                    assertThat(copy.durable()).isEqualTo(new Place(1, BEFORE - 1));
                    assertThat(StripeContent.of(copy)).isEqualTo(StripeContent.of(reference));
                    apply(copy, script, BEFORE, end);
                    assertThat(StripeContent.of(copy)).isEqualTo(StripeContent.of(source));
                }
            }
        }
    }

    /**
     * Regression: the files had entries of streams from behind the moment. The first entry of the new array differed from them,
     * and stopped all mirrors for good.
     */
    @Test
    void aCopyThatBeginsAnewHasAnotherFuture() throws Exception {
        EntryScript script = new EntryScript(7);
        Path folder = directory.resolve("source");
        Path copied = directory.resolve("copy");
        try (StoreStripe source = StripeProgram.open(folder);
                StoreStripe reference = StripeProgram.open(directory.resolve("reference"))) {
            for (StoreStripe stripe : List.of(source, reference)) {
                apply(stripe, script, 0, BEFORE);
                add(stripe, "old", BEFORE);
            }
            try (HeldMoment _ = source.hold(Long.MAX_VALUE, Long.MAX_VALUE)) {
                for (long index = BEFORE + 1; index < BEFORE + MEANWHILE; index += 2) {
                    add(source, "old", index);
                    add(source, "new", index + 1);
                }
                source.sync();
                copy(folder, copied);
            }
            assertThat(StoreStripe.beginAnew(copied, StripeProgram.SEGMENT_BYTES, false))
                    .isEqualTo(new Place(1, BEFORE));
            try (StoreStripe copy = StripeProgram.open(copied)) {
                assertThat(unwatched(copy)).isEqualTo(unwatched(reference));
                addAnew(copy);
                copy.sync();
            }
            addAnew(reference);
            try (StoreStripe copy = StripeProgram.open(copied)) {
                assertThat(unwatched(copy)).isEqualTo(unwatched(reference));
            }
        }
    }

    private static void addAnew(StoreStripe stripe) {
        add(stripe, "other", BEFORE + 2);
        add(stripe, "old", BEFORE + 4);
        add(stripe, "new", BEFORE + 6);
    }

    private static void add(StoreStripe stripe, String prefix, long index) {
        long millis = new EntryScript(1).millis(index);
        stripe.apply(new Place(1, index), EntryScript.additions(prefix, millis));
    }

    /** Returns the content without what counts messages that were given up: the states that clients watch, and two figures. */
    private static Map<String, String> unwatched(StoreStripe stripe) {
        Map<String, String> content = StripeContent.of(stripe);
        content.replaceAll((key, held) -> held.replaceAll(", watched as .*|radix-tree-(keys|nodes)\\s+:\\d+", ""));
        return content;
    }

    @Test
    void aMomentIsHeldNoLongerThanItsBytes() {
        requireEnded(1, Long.MAX_VALUE);
    }

    /** Regression: any number of small entries stayed on the heap during a slow pull. */
    @Test
    void aMomentIsHeldNoLongerThanItsEntries() {
        requireEnded(Long.MAX_VALUE, 0);
    }

    /** Requires that a moment is held no longer once another entry is applied. */
    private void requireEnded(long bytesMost, long entriesMost) {
        EntryScript script = new EntryScript(1);
        try (StoreStripe source = StripeProgram.open(directory.resolve("source"))) {
            apply(source, script, 0, BEFORE);
            HeldMoment held = source.hold(bytesMost, entriesMost);
            apply(source, script, BEFORE, BEFORE + 1);
            source.sync();
            assertThat(held.isOpen()).isFalse();
            assertThat(source.durable().index()).isEqualTo(BEFORE);
        }
    }
}
