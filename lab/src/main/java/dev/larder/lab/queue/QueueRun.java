package dev.larder.lab.queue;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.machine.DirtyPages;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.CompressingVolume;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.MemoryLimit;
import dev.larder.lab.process.RivalClassPath;
import dev.larder.lab.result.Rows;
import dev.larder.lab.run.Matrix;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The processes of one run of the experiment {@code queue}, and the order of their work. */
final class QueueRun implements AutoCloseable {

    static final String LARDER = "larder";
    private static final long HEAP_BYTES = 64L << 20;

    private final QueueOptions options;
    private final RunContext context;
    private final @Nullable CompressingVolume volume;
    private final List<Rival> rivals;
    private final List<Contender> contenders = new ArrayList<>();
    private final Matrix<Contender, Fill> matrix;
    private @Nullable Baselines baselines;
    private int done;

    /** One queue that is filled by one kind of append. */
    private record Fill(int queue, AppendMode append) {

        @Override
        public String toString() {
            return append.toString();
        }
    }

    /** A run; its data may be on a compressing volume. Bursts are checked as they come. */
    QueueRun(
            QueueOptions options,
            RunContext context,
            @Nullable CompressingVolume volume,
            List<Rival> rivals,
            Function<Figures, @Nullable String> check) {
        this.options = options;
        this.context = context;
        this.volume = volume;
        this.rivals = rivals;
        List<Fill> fills = new ArrayList<>();
        for (int queue = 0; queue < options.bursts().queues(); queue++) {
            for (AppendMode append : options.messages().append().runs()) {
                fills.add(new Fill(queue, append));
            }
        }
        matrix = new Matrix<>(context, contenders, fills, this::burst)
                .rounds(0, options.bursts().perQueue())
                .byParameter(this::begin)
                .beside(this::addBaselines)
                .checked(check)
                .told(QueueRun::words);
    }

    /** Starts the processes: Larder's, each rival's, and the baselines'. */
    void start(long bufferBytes) {
        start(LARDER, JavaProcess.command(HEAP_BYTES, BurstChild.class));
        context.progress()
                .line("under test: " + larder().limit().description() + ", heap " + ByteSize.format(HEAP_BYTES));
        rivals.forEach(rival -> start(rival.name(), RivalClassPath.command(HEAP_BYTES, rival.main(), rival.flags())));
        baselines = new Baselines(baselineChild(), plainChild(), context.data(), options, bufferBytes);
    }

    private void start(String name, List<String> command) {
        contenders.add(new Contender(name, context.start(name, command, limit()), context.data(), options));
    }

    private ChildProcess baselineChild() {
        return context.start("baseline", JavaProcess.command(4 * HEAP_BYTES, BaselineChild.class));
    }

    private MemoryLimit limit() {
        return MemoryLimit.of(options.place().memoryLimitBytes());
    }

    /** Plain writes have their own limit, as large as the queue's. */
    private @Nullable ChildProcess plainChild() {
        return options.place().memoryLimitBytes() == null
                ? null
                : context.start("plain", JavaProcess.command(HEAP_BYTES, BaselineChild.class), limit());
    }

    Contender larder() {
        return contenders.getFirst();
    }

    private Baselines baselines() {
        return Objects.requireNonNull(baselines, "not started");
    }

    List<Contender> rivals() {
        return contenders.subList(1, contenders.size());
    }

    Figures jvm() {
        return larder().jvm();
    }

    /** Returns the bursts of a contender so far. */
    List<Figures> bursts(Contender contender) {
        return Rows.where(matrix.samples(), "subject", contender.name());
    }

    /** Warms everything up, and runs all bursts of all queues. */
    void measure() {
        warmUp();
        matrix.run();
    }

    private Runnable begin(Fill fill) {
        create(fill.append(), options.bursts().pause().toMillis());
        return () -> contenders.forEach(Contender::closeStore);
    }

    private void create(AppendMode append, long waitMillis) {
        for (int index = 0; index < contenders.size(); index++) {
            contenders
                    .get(index)
                    .configure(append, index == 0 ? "" : rivals.get(index - 1).mode(), waitMillis);
            contenders.get(index).create();
        }
    }

    /** First writes, reads and deletes a small queue by every kind of append; drops its figures. */
    private void warmUp() {
        context.progress()
                .line("warming up with " + ByteSize.format(options.bursts().warmUpBytes()));
        int bursts = (int) (options.bursts().warmUpBytes() / options.bursts().burstBytes());
        for (AppendMode append : options.messages().append().runs()) {
            create(append, 0);
            for (int burst = 0; burst < bursts && !context.interruption().isInterrupted(); burst++) {
                for (Contender contender : contenders) {
                    contender.burst(burst, prepares(contender));
                }
            }
            contenders.forEach(contender -> {
                contender.closeStore();
                contender.removeStore();
            });
        }
        baselines().warmUp(options.place().memoryLimitBytes() == null ? 0 : Baselines.keptBytes(options));
    }

    private boolean prepares(Contender contender) {
        return contender == larder() && options.segments().state() == SegmentState.PREPARED;
    }

    private Figures burst(Contender contender, Fill fill, int burst) {
        settle();
        return new Figures()
                .put("subject", contender.name())
                .put("index", done)
                .put("queue", fill.queue())
                .put("begin_bytes", burst * options.bursts().burstBytes())
                .put("bytes", options.messagesPerBurst() * options.messages().messageBytes())
                .put("messages", options.messagesPerBurst())
                .put("append", fill.append())
                .put("state", options.segments().state())
                .put("limit_bytes", contender.limit().bytes())
                .putAll(contender.burst(burst, prepares(contender)));
    }

    private void addBaselines(List<Figures> bursts) {
        settle();
        Figures baseline = baselines().measure();
        bursts.forEach(figures -> figures.putAll(baseline).put("volume_used_bytes", volumeUsedBytes()));
        done++;
    }

    private @Nullable Long volumeUsedBytes() {
        return volume == null ? null : Long.valueOf(volume.usedBytes());
    }

    /** Only if rivals leave dirty data: Larder's queue is synced at the end of each burst. */
    private void settle() {
        if (!rivals.isEmpty()) {
            DirtyPages.settle();
        }
    }

    private static String words(String name, Figures burst) {
        return String.format(
                Locale.ROOT,
                "%s, at %s: write %.0f, sync %.0f, read %.0f ms/GiB",
                name,
                ByteSize.format(burst.whole("begin_bytes")),
                QueueSummary.of("write_ms").applyAsDouble(burst),
                QueueSummary.of("sync_ms").applyAsDouble(burst),
                QueueSummary.of("read_ms").applyAsDouble(burst));
    }

    @Override
    public void close() {
        contenders.forEach(Contender::close);
        if (baselines != null) {
            baselines.close();
        }
    }
}
