package dev.larder.map.checkpoint;

import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.format.Placement;
import dev.larder.map.index.PageWords;
import dev.larder.memory.LarderException;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/** The sound pages of an image, for a reader that has not opened the map. */
public final class CheckedPages {

    private final Map<Long, MemorySegment> sound = new HashMap<>(); // place -> page

    /** Checks the rows and every page of an image, and reports the damaged ones. */
    public CheckedPages(CheckpointReader image, Consumer<String> problems) {
        try {
            image.requireRows();
        } catch (LarderException e) {
            problems.accept(String.valueOf(e.getMessage()));
        }
        for (long step = 0; step < image.steps(); step++) {
            check(image, step, problems);
        }
    }

    private void check(CheckpointReader image, long number, Consumer<String> problems) {
        MemorySegment step = image.step(number);
        if (image.isSound(number, step)) {
            sound.put(Words.getPlain(step, IndexPageLayout.PLACE), step);
        } else {
            problems.accept(image.describe(number) + " fails its check");
        }
    }

    /** Hands over all words of the sound pages. */
    public void forEach(LongConsumer words) {
        sound.values().forEach(step -> new PageWords(step, 0).forEach((group, word) -> words.accept(word)));
    }

    /** Hands over the words with the tag of a hash, which a lookup of it would meet; returns false if the page is damaged. */
    public boolean forEachOf(long hash, LongConsumer words) {
        Optional<MemorySegment> step = stepOf(hash, Placement.partition(hash));
        int tag = Placement.tag(hash);
        step.ifPresent(there -> new PageWords(there, 0).forEachOf(Placement.group(hash), (group, word) -> {
            if (IndexWord.tag(word) == tag) {
                words.accept(word);
            }
        }));
        return step.isPresent();
    }

    private Optional<MemorySegment> stepOf(long hash, int partition) {
        return IntStream.rangeClosed(0, IndexWord.DEPTH_MAX)
                .mapToObj(depth -> sound.get(IndexPageLayout.place(partition, depth, Placement.entry(hash, depth))))
                .filter(Objects::nonNull)
                .findFirst();
    }
}
