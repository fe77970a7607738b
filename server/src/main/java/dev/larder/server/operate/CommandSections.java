package dev.larder.server.operate;

import dev.larder.server.session.KnownCommand;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The sections of {@code INFO} on commands and errors. */
final class CommandSections {

    private static final double MICRO_NANOS = 1000;

    private final Figures figures;

    CommandSections(Figures figures) {
        this.figures = figures;
    }

    private List<KnownCommand> commands() {
        return figures.node().commands().allKnown().stream()
                .sorted(Comparator.comparing(known -> known.command().name()))
                .toList();
    }

    void calls(Lines lines) {
        for (KnownCommand known : commands()) {
            long calls = known.calls().sum();
            long micros = (long) (known.nanos().sum() / MICRO_NANOS);
            if (calls + known.rejected().sum() + known.failed().sum() > 0) {
                lines.add(
                        "cmdstat_" + known.command().name(),
                        String.format(
                                Locale.ROOT,
                                "calls=%d,usec=%d,usec_per_call=%.2f,rejected_calls=%d,failed_calls=%d",
                                calls,
                                micros,
                                calls == 0 ? 0 : micros / (double) calls,
                                known.rejected().sum(),
                                known.failed().sum()));
            }
        }
    }

    void errors(Lines lines) {
        figures.observation().errors().forEach((code, count) -> lines.add("errorstat_" + code, "count=" + count));
    }

    void times(Lines lines) {
        List<String> shares = figures.settings().words("latency-tracking-info-percentiles");
        for (KnownCommand known : commands()) {
            if (known.times().count() > 0) {
                lines.add(
                        "latency_percentiles_usec_" + known.command().name(),
                        shares.stream()
                                .map(share -> String.format(
                                        Locale.ROOT,
                                        "p%s=%.3f",
                                        share,
                                        known.times().percentileNanos(Double.parseDouble(share)) / MICRO_NANOS))
                                .collect(Collectors.joining(",")));
            }
        }
    }
}
