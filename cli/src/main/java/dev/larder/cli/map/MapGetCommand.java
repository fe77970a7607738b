package dev.larder.cli.map;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.cli.entry.EntryForm;
import dev.larder.cli.entry.EntryForms;
import dev.larder.cli.entry.EntryText;
import dev.larder.cli.entry.JsonMessages;
import dev.larder.map.LarderMap;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the value of a key. */
@Command(
        name = "get",
        description = "Prints the value of a key: text as it is, a typed value as its name and its value. Exit code 1 "
                + "if the key is not there.",
        mixinStandardHelpOptions = true,
        footer = {
            ExitCode.EXAMPLES,
            "  larder map get stock flour",
            "  larder map get stock flour --json",
            ExitCode.HELP
        })
final class MapGetCommand implements Callable<Integer> {

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
        try (OpenMap open = arguments.openToRead()) {
            LarderMap<byte[], byte[]> map = open.map();
            EntryForm keys = open.keys(forms);
            EntryForm values = open.values(forms);
            byte[] wanted = EntryText.requireKey(keys.parse(key));
            byte[] value = map.get(wanted);
            PrintStream out = Larder.streams(command).out();
            if (arguments.json()) {
                Map<String, @Nullable Object> answer = answer(keys, wanted, values, value);
                map.expiry(wanted).ifPresent(when -> answer.put("expires", when.toString()));
                out.println(JsonMessages.json(answer));
            } else if (value != null) {
                print(values, value, out);
            }
            return value == null ? ExitCode.INVALID : ExitCode.OK;
        }
    }

    private static Map<String, @Nullable Object> answer(
            EntryForm keys, byte[] wanted, EntryForm values, byte @Nullable [] value) {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("found", value != null);
        answer.put("key", keys.json(wanted));
        answer.put("value", value == null ? null : values.json(value));
        return answer;
    }

    private static void print(EntryForm values, byte[] value, PrintStream out) {
        byte[] line = values.isShownAsIs(value) ? value : values.plain(value).getBytes(StandardCharsets.UTF_8);
        out.write(line, 0, line.length);
        out.write('\n');
    }
}
