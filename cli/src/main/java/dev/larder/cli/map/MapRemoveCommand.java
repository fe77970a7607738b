package dev.larder.cli.map;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.cli.entry.EntryForm;
import dev.larder.cli.entry.EntryForms;
import dev.larder.cli.entry.EntryText;
import dev.larder.cli.entry.JsonMessages;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Removes an entry. */
@Command(
        name = "remove",
        description = "Removes an entry. The removal is durable when the command ends. Exit code 1 if the map has no "
                + "such key.",
        mixinStandardHelpOptions = true,
        footer = {ExitCode.EXAMPLES, "  larder map remove stock flour", ExitCode.HELP})
final class MapRemoveCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private MapArguments arguments = new MapArguments();

    @Mixin
    private EntryForms forms = new EntryForms();

    @Parameters(index = "1", paramLabel = "KEY", description = EntryForms.KEY)
    private String key = "";

    @Override
    public Integer call() {
        try (OpenMap open = arguments.open()) {
            EntryForm values = open.values(forms);
            byte[] wanted = EntryText.requireKey(open.keys(forms).parse(key));
            byte[] previous = open.map().remove((Object) wanted);
            open.sync();
            answer(values, previous);
            return previous == null ? ExitCode.INVALID : ExitCode.OK;
        }
    }

    private void answer(EntryForm values, byte @Nullable [] previous) {
        String plain = previous == null ? "not there" : "removed";
        Larder.streams(command).out().println(arguments.json() ? json(values, previous) : plain);
    }

    private static String json(EntryForm values, byte @Nullable [] previous) {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("removed", previous != null);
        answer.put("previous", previous == null ? null : values.fittingJson(previous));
        return JsonMessages.json(answer);
    }
}
