package dev.larder.memory.doubles;

import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One choice of what the disk holds when the power fails.
 *
 * <p>Each dirty page is there or not, with a probability that is drawn from 0, 0.1, 0.5, 0.9 and 1 for the whole image
 * or file by file; one of them is torn: each of its sectors of 512 bytes is new or old. Each name that was not synced
 * is as it was or as it is; a file whose size was not flushed has the old or the new one.
 */
final class PowerLossImage {

    private static final double[] PROBABILITIES = {0, 0.1, 0.5, 0.9, 1};

    /** A dirty page that the image may tear. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Torn(PowerLossContent restored, int page, byte[] old, byte[] fresh) {}

    private final PowerLossStorage image;
    private final SplittableRandom random;
    private final IdentityHashMap<PowerLossContent, PowerLossContent> restored = new IdentityHashMap<>();
    private final double ofAllFiles;
    private final double ofNames;
    private final boolean alike;
    private @Nullable Torn torn;
    private int dirtyPages;

    PowerLossImage(PowerLossStorage image, SplittableRandom random) {
        this.image = image;
        this.random = random;
        this.alike = random.nextBoolean();
        this.ofAllFiles = probability();
        this.ofNames = probability();
    }

    private double probability() {
        return PROBABILITIES[random.nextInt(PROBABILITIES.length)];
    }

    void take(PowerLossNode.Directory root, PowerLossNode.Directory target) {
        restore(root, target);
        Torn page = torn;
        if (page != null) {
            tear(page);
        }
    }

    private void restore(PowerLossNode.Directory directory, PowerLossNode.Directory target) {
        Set<String> names = new HashSet<>(directory.durable.keySet());
        names.addAll(directory.names.keySet());
        names.stream().sorted().forEach(name -> {
            boolean current = random.nextDouble() < ofNames;
            PowerLossNode node = (current ? directory.names : directory.durable).get(name);
            if (node != null) {
                target.names.put(name, restore(node));
            }
        });
        target.sync();
    }

    private PowerLossNode restore(PowerLossNode node) {
        return switch (node) {
            case PowerLossNode.Directory directory -> {
                PowerLossNode.Directory copy = new PowerLossNode.Directory();
                restore(directory, copy);
                yield copy;
            }
            case PowerLossContent content -> {
                PowerLossContent known = restored.get(content);
                yield known == null ? restore(content) : known;
            }
        };
    }

    private PowerLossContent restore(PowerLossContent content) {
        double share = alike ? ofAllFiles : probability();
        boolean whole = content.durableBytes == content.sizeBytes || random.nextDouble() < share;
        PowerLossContent copy = image.restored(content, whole ? content.sizeBytes : content.durableBytes);
        restored.put(content, copy);
        for (int page = 0; page < copy.pages(); page++) {
            if (content.isDirty(page)) {
                restoreDirty(content, copy, page, random.nextDouble() < share);
            }
        }
        return copy;
    }

    private void restoreDirty(PowerLossContent content, PowerLossContent copy, int page, boolean kept) {
        byte[] fresh = content.cached(page);
        if (kept) {
            copy.put(page, fresh);
            copy.show(page);
        }
        if (random.nextInt(++dirtyPages) == 0) {
            torn = new Torn(copy, page, content.onDisk(page), fresh);
        }
    }

    private void tear(Torn page) {
        byte[] mixed = page.old.clone();
        for (int at = 0; at < mixed.length; at += PowerLossContent.SECTOR_BYTES) {
            if (random.nextBoolean()) {
                System.arraycopy(page.fresh, at, mixed, at, PowerLossContent.SECTOR_BYTES);
            }
        }
        page.restored.put(page.page, mixed);
        page.restored.show(page.page);
    }
}
