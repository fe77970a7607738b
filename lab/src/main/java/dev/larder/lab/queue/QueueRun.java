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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The processes of one run of the experiment {@code queue}, and the order in which they are asked to work. */
final class QueueRun implements AutoCloseable {

    private static final long HEAP_BYTES = 64L << 20;

    private final QueueOptions options;
    private final RunContext context;
    private final @Nullable CompressingVolume volume;
    private final List<Rival> rivals = new ArrayList<>();
    private final List<Contender> contenders = new ArrayList<>();
    private @Nullable Baselines baselines;
    private int done;

    /** A run; its data may lie on a volume that compresses. */
    QueueRun(QueueOptions options, RunContext context, @Nullable CompressingVolume volume) {
        this.options = options;
        this.context = context;
        this.volume = volume;
    }

    /** Starts the processes: ours, the baselines', and one for each rival. */
    void start(List<Rival> others, long bufferBytes) {
        start("larder", JavaProcess.command(HEAP_BYTES, BurstChild.class));
        context.progress()
                .line("under test: " + larder().limit().description() + ", heap " + ByteSize.format(HEAP_BYTES));
        for (Rival rival : others) {
            rivals.add(rival);
            start(rival.name(), RivalClassPath.command(HEAP_BYTES, rival.main(), rival.flags()));
        }
        baselines = new Baselines(baselineChild(), plainChild(), context.data(), options, bufferBytes);
    }

    private void start(String name, List<String> command) {
        contenders.add(new Contender(name, context.start(name, command, limit()), context.data(), options));
    }

    private ChildProcess baselineChild() {
        return context.start("baseline", JavaProcess.command(4 * HEAP_BYTES, BaselineChild.class), MemoryLimit.none());
    }

    private MemoryLimit limit() {
        return options.place().memoryLimitBytes() == null
                ? MemoryLimit.none()
                : MemoryLimit.of(options.place().memoryLimitBytes());
    }

    /** Plain writes live under a limit of their own, as large as the queue's. */
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
        return context.interruption().isInterrupted() ? JavaProcess.facts() : larder().jvm();
    }

    /**
     * Runs all bursts of all queues.
     *
     * @param check returns why a burst of ours makes the run void; null when it does not
     * @return the reason that ended the run, or null
     */
    @Nullable
    String bursts(Function<Figures, @Nullable String> check) {
        warmUp();
        for (int queue = 0; queue < options.bursts().queues(); queue++) {
            for (AppendMode append : options.messages().append().runs()) {
                String reason = fill(queue, append, check);
                if (reason != null || context.interruption().isInterrupted()) {
                    return reason;
                }
            }
        }
        return null;
    }

    private @Nullable String fill(int queue, AppendMode append, Function<Figures, @Nullable String> check) {
        create(append, options.bursts().pause().toMillis());
        for (int burst = 0;
                burst < options.bursts().perQueue() && !context.interruption().isInterrupted();
                burst++) {
            Figures figures = burst(queue, burst, append);
            String reason = check.apply(figures);
            if (reason != null) {
                return reason;
            }
        }
        contenders.forEach(Contender::closeStore);
        return null;
    }

    private void create(AppendMode append, long waitMillis) {
        for (int index = 0; index < contenders.size(); index++) {
            contenders
                    .get(index)
                    .configure(append, index == 0 ? "" : rivals.get(index - 1).mode(), waitMillis);
            contenders.get(index).create();
        }
    }

    /** A small queue of every kind of append is written, read and deleted first; its figures are not kept. */
    private void warmUp() {
        context.progress()
                .line("warming up with " + ByteSize.format(options.bursts().warmUpBytes()));
        int bursts = (int) (options.bursts().warmUpBytes() / options.bursts().bytes());
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

    private Figures burst(int queue, int burst, AppendMode append) {
        List<Figures> bursts = new ArrayList<>();
        for (int turn = 0; turn < contenders.size(); turn++) { // who goes first changes from burst to burst
            Contender contender = contenders.get((turn + burst) % contenders.size());
            settle();
            Figures figures = head(contender, queue, burst, append).putAll(contender.burst(burst, prepares(contender)));
            contender.bursts().add(figures);
            bursts.add(figures);
        }
        settle();
        Figures baseline = baselines().measure();
        bursts.forEach(figures -> figures.putAll(baseline).put("volume_used_bytes", volumeUsedBytes()));
        bursts.forEach(context.folder()::addSample);
        Figures ours = larder().bursts().getLast();
        int all = options.bursts().queues()
                * options.messages().append().runs().size()
                * options.bursts().perQueue();
        context.progress().step(++done, all, words(ours));
        return ours;
    }

    private @Nullable Long volumeUsedBytes() {
        return volume == null ? null : Long.valueOf(volume.usedBytes());
    }

    /** Only where others leave something behind: our queue is synced at the end of each burst. */
    private void settle() {
        if (!rivals.isEmpty()) {
            DirtyPages.settle();
        }
    }

    private Figures head(Contender contender, int queue, int burst, AppendMode append) {
        return new Figures()
                .put("subject", contender.name())
                .put("index", done)
                .put("queue", queue)
                .put("begin_bytes", burst * options.bursts().bytes())
                .put("bytes", options.messagesPerBurst() * options.messages().bytes())
                .put("messages", options.messagesPerBurst())
                .put("append", append)
                .put("state", options.segments().state())
                .put("limit_bytes", contender.limit().bytes());
    }

    private static String words(Figures burst) {
        return String.format(
                Locale.ROOT,
                "%s at %s: write %.0f, sync %.0f, read %.0f ms/GiB",
                burst.get("append"),
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
