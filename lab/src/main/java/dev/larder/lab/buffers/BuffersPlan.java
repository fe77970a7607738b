package dev.larder.lab.buffers;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which rows a run has and which it skips: looked at once, so that a machine that changes meanwhile changes nothing. */
final class BuffersPlan {

    /** A kind in blocks of one size. */
    private record Row(BufferKind kind, long blockBytes) {}

    private final BuffersOptions options;
    private final Map<Row, String> skipped = new HashMap<>();

    BuffersPlan(BuffersOptions options) {
        this.options = options;
        for (BufferKind kind : options.kinds()) {
            options.blockBytes().forEach(block -> look(kind, block));
        }
    }

    private void look(BufferKind kind, long blockBytes) {
        String reason = kind.reasonToSkip(blockBytes, options.totalBytes());
        if (reason != null) {
            skipped.put(new Row(kind, blockBytes), reason);
        }
    }

    /** Returns why a row is skipped; null when it is not. */
    @Nullable
    String reasonToSkip(BufferKind kind, long blockBytes) {
        return skipped.get(new Row(kind, blockBytes));
    }

    boolean isMeasured(BufferKind kind, long blockBytes) {
        return reasonToSkip(kind, blockBytes) == null;
    }

    /** Returns the kinds that have a row of some size. */
    List<BufferKind> measuredKinds() {
        return options.kinds().stream()
                .filter(kind -> options.blockBytes().stream().anyMatch(block -> isMeasured(kind, block)))
                .toList();
    }

    /** Returns why a kind has no row at all. */
    String reasonToSkip(BufferKind kind) {
        return String.valueOf(reasonToSkip(kind, options.blockBytes().getFirst()));
    }
}
