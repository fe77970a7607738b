import org.jspecify.annotations.NullMarked;

/**
 * Experiments: every claim is a command that measures it and leaves a result folder.
 *
 * <p>An {@link dev.larder.lab.Experiment} has its options, its measurement and its charts. A
 * {@link dev.larder.lab.LabRun} gives it a folder, child processes under a memory limit, and a recorder of the machine's
 * own disturbances. It turns the findings into {@code result.json}, plots, one page and an exit code.
 *
 * <p>Each package uses earlier ones of this list: {@code result} (files), {@code machine} (meters), {@code report} (charts
 * and pages), {@code process} (children, their memory limits, and processes on other hosts), {@code lab} (the frame of a
 * run), {@code study} (declared options). {@code run} has the turns of subjects, and their records. {@code load} has
 * requests at their own pace, and the order of loads. {@code text} and {@code search.index} have the searched text and
 * index. Each experiment then has a package; {@code command} has their options on the command line of {@code larder lab}.
 * Beside them, {@code compare} overlays finished results.
 */
@NullMarked
@SuppressWarnings({"requires-automatic", "module"}) // HdrHistogram and Lettuce have none
module dev.larder.lab {
    exports dev.larder.lab;
    exports dev.larder.lab.array;
    exports dev.larder.lab.buffers;
    exports dev.larder.lab.compare;
    exports dev.larder.lab.database;
    exports dev.larder.lab.heap;
    exports dev.larder.lab.latency;
    exports dev.larder.lab.load;
    exports dev.larder.lab.machine;
    exports dev.larder.lab.map;
    exports dev.larder.lab.process;
    exports dev.larder.lab.queue;
    exports dev.larder.lab.redis;
    exports dev.larder.lab.report;
    exports dev.larder.lab.result;
    exports dev.larder.lab.run;
    exports dev.larder.lab.search;
    exports dev.larder.lab.search.index;
    exports dev.larder.lab.study;
    exports dev.larder.lab.text;

    requires transitive dev.larder.cli;
    requires dev.larder.lucene;
    requires dev.larder.map;
    requires transitive dev.larder.queue;
    requires java.management;
    requires java.xml;
    requires jdk.jfr;
    requires jdk.management;
    requires HdrHistogram;
    requires org.apache.commons.compress;
    requires transitive org.apache.lucene.core;
    requires org.apache.lucene.highlighter;
    requires org.apache.lucene.queries;
    requires lettuce.core; // and what it needs, which it has no module descriptor to say:
    requires io.netty.handler;
    requires io.netty.resolver.dns;
    requires org.reactivestreams;
    requires org.slf4j;
    requires reactor.core;
    requires redis.clients.authentication.core;
    requires static transitive org.jspecify;

    opens dev.larder.lab.command to
            info.picocli;

    provides dev.larder.cli.CommandProvider with
            dev.larder.lab.command.LabCommands;
}
