package dev.larder.lab.command;

import dev.larder.cli.CommandProvider;
import dev.larder.cli.Larder;
import dev.larder.lab.array.ArrayExperiment;
import dev.larder.lab.buffers.BuffersExperiment;
import dev.larder.lab.database.DatabaseExperiment;
import dev.larder.lab.heap.HeapExperiment;
import dev.larder.lab.latency.CopyExperiment;
import dev.larder.lab.latency.LatencyExperiment;
import dev.larder.lab.map.MapExperiment;
import dev.larder.lab.queue.QueueExperiment;
import dev.larder.lab.redis.LoadExperiment;
import dev.larder.lab.result.FailCondition;
import dev.larder.lab.search.SearchExperiment;
import dev.larder.lab.study.Study;
import java.util.List;
import picocli.CommandLine;

/** Adds {@code larder lab}. */
public final class LabCommands implements CommandProvider {

    /** The provider, as the service loader makes it. */
    public LabCommands() {}

    /** The experiments, in the order of the help. */
    static final List<Study<?>> STUDIES = List.of(
            ArrayExperiment.STUDY,
            BuffersExperiment.STUDY,
            CopyExperiment.STUDY,
            DatabaseExperiment.STUDY,
            HeapExperiment.STUDY,
            LatencyExperiment.STUDY,
            LoadExperiment.STUDY,
            MapExperiment.STUDY,
            QueueExperiment.STUDY,
            SearchExperiment.STUDY);

    @Override
    public CommandLine command() {
        CommandLine lab = new CommandLine(new LabCommand());
        STUDIES.forEach(study -> lab.addSubcommand(study.name(), StudyCommand.of(study)));
        return lab.registerConverter(FailCondition.class, Larder.converter(FailCondition::parse));
    }
}
