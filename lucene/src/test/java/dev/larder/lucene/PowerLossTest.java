package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The power fails while an index is being written: plain Lucene opens what the disk has, with all that was committed. */
class PowerLossTest {

    private static final int IMAGES = Effort.of(20, 40, 400);
    private static final int ROUNDS = 12;
    private static final int ROUND_DOCUMENTS = 60;

    /** What a disk may have, and how many documents were committed for certain before. */
    private record Image(Path folder, int committed) {}

    @TempDir
    Path scratch;

    private final AtomicInteger committed = new AtomicInteger();
    private final List<Image> images = new ArrayList<>();

    @Test
    void shouldHaveEveryCommitAfterAnyLossOfPower() throws IOException {
        writeAndTakeImages(false);
        assertThat(images).hasSize(IMAGES);
        for (Image image : images) {
            TestIndex.forgetOlderCommits(image.folder());
            assertThat(TestIndex.check(image.folder())).isGreaterThanOrEqualTo(image.committed());
        }
    }

    @Test
    void shouldBeToldByTheImagesWhereNothingIsFlushed() throws IOException {
        writeAndTakeImages(true);
        assertThat(images).anySatisfy(image -> assertThat(isWhole(image)).isFalse());
    }

    private static boolean isWhole(Image image) {
        try {
            TestIndex.forgetOlderCommits(image.folder());
            return TestIndex.check(image.folder()) >= image.committed();
        } catch (IOException | RuntimeException | AssertionError e) {
            return false;
        }
    }

    private void writeAndTakeImages(boolean forgetsFlushes) throws IOException {
        SplittableRandom random = new SplittableRandom(7);
        AtomicInteger changes = new AtomicInteger();
        PowerLossFolder.Wrapped[] folder = new PowerLossFolder.Wrapped[1];
        folder[0] = PowerLossFolder.wrap(scratch.resolve("index"), () -> {
            if (changes.incrementAndGet() % 5 == 0) {
                take(folder[0].watcher(), random);
            }
        });
        try (LarderDirectory larder = LarderDirectory.open(folder[0].path());
                Directory directory = forgetsFlushes ? forgetful(larder) : larder;
                IndexWriter writer = TestIndex.writer(directory)) {
            for (int round = 0; round < ROUNDS || count() < IMAGES; round++) {
                write(writer, round);
            }
        }
    }

    private void write(IndexWriter writer, int round) throws IOException {
        int from = round * ROUND_DOCUMENTS;
        TestIndex.writeAndCommit(writer, from, from + ROUND_DOCUMENTS);
        committed.set(from + ROUND_DOCUMENTS);
        DirectoryReader.open(writer).close(); // flushes what is never committed
        if (round % 4 == 3) {
            writer.forceMerge(1);
        }
    }

    private static Directory forgetful(Directory directory) {
        return new FilterDirectory(directory) {
            @Override
            public void sync(Collection<String> names) {
                assertThat(names).isNotNull(); // and forgotten
            }
        };
    }

    private synchronized int count() {
        return images.size();
    }

    private synchronized void take(PowerLossFolder folder, SplittableRandom random) {
        if (images.size() < IMAGES && random.nextInt(8) == 0) {
            int sure = committed.get();
            Path target = scratch.resolve("image-" + images.size());
            try {
                folder.image(target, random);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
            images.add(new Image(target, sure));
        }
    }
}
