package dev.larder.lab.buffers;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Sample;
import java.util.ArrayList;
import java.util.List;

/** The rows of a result: one for each kind and size of blocks. */
final class BuffersSummary {

    /** What a round measures; a row has its median, its 95th percentile and its greatest value. */
    static final List<String> FIGURES = List.of(
            "create_ms",
            "write_ms",
            "create_write_ms",
            "release_ms",
            "total_ms",
            "heap_bytes",
            "heap_allocated_bytes",
            "cpu_ms",
            "faults",
            "context_switches",
            "gc_count");

    private final BuffersOptions options;
    private final BuffersPlan plan;
    private final List<Figures> rounds;

    BuffersSummary(BuffersOptions options, BuffersPlan plan, List<Figures> rounds) {
        this.options = options;
        this.plan = plan;
        this.rounds = rounds;
    }

    List<Figures> rows() {
        List<Figures> rows = new ArrayList<>();
        for (BufferKind kind : options.kinds()) {
            options.blockBytes().forEach(block -> rows.add(row(kind, block)));
        }
        return rows;
    }

    private Figures row(BufferKind kind, long block) {
        List<Figures> own = rounds.stream()
                .filter(round -> round.text("kind").equals(kind.toString()) && round.whole("block_bytes") == block)
                .toList();
        Figures row = new Figures().put("kind", kind).put("block_bytes", block).put("rounds", own.size());
        FIGURES.forEach(name -> addFigures(row, name, own));
        return row.put("skipped_reason", plan.reasonToSkip(kind, block));
    }

    private static void addFigures(Figures row, String name, List<Figures> rounds) {
        Sample sample =
                new Sample(rounds.stream().map(round -> round.number(name)).toList());
        row.put(name + "_p50", sample.median());
        row.put(name + "_p95", sample.quantile(0.95));
        row.put(name + "_max", sample.max());
    }

    /** Returns what each kind is here, where it has several ways. */
    List<Figures> descriptions() {
        return rounds.stream()
                .filter(round ->
                        round.whole("round") == 0 && !round.text("description").isEmpty())
                .map(round -> new Figures()
                        .put("kind", round.text("kind"))
                        .put("block_bytes", round.whole("block_bytes"))
                        .put("description", round.text("description")))
                .toList();
    }
}
