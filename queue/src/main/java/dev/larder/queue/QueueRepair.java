package dev.larder.queue;

import dev.larder.codec.SchemaMapping;
import dev.larder.log.LogOptions;
import dev.larder.log.LogSalvage;
import dev.larder.log.SalvageReport;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies the sound messages of a damaged queue into a new one. It only reads the damaged queue, which need not open.
 *
 * <p>Named tailers are not copied. In the new queue, each name begins at the oldest message.
 */
public final class QueueRepair {

    private QueueRepair() {}

    /**
     * Copies every sound message in order, and the schemas. The messages get new positions.
     *
     * @param options of the new queue; its segments must have room for the messages
     * @throws LarderException if the target is not empty, or there is no log at {@code damaged}; no target is made then
     */
    public static RepairReport repair(Path damaged, Path target, LogOptions options) {
        Storage storage = HookedOptions.of(options).storage();
        if (!storage.list(target).isEmpty()) {
            throw new LarderException(target + ": is not empty; a repair makes a new queue");
        }
        LogSalvage.requireLog(damaged, storage);
        List<String> problems = new ArrayList<>();
        try (LarderQueue queue = LarderQueue.open(target, options);
                Appender appender = queue.appender()) {
            int schemas = new SchemaMapping(queue.codecFolder()).addAllOf(damaged, problems::add);
            SalvageReport report = LogSalvage.run(
                    damaged, storage, (position, segment, offset, length) -> appender.append(segment, offset, length));
            problems.addAll(report.problems());
            queue.sync();
            return new RepairReport(
                    report.records(),
                    report.bytes(),
                    schemas,
                    report.lost(),
                    report.lostBytes(),
                    List.copyOf(problems));
        }
    }
}
