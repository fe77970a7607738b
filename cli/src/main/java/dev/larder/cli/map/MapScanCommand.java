package dev.larder.cli.map;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.cli.entry.EntryForm;
import dev.larder.cli.entry.EntryForms;
import dev.larder.cli.entry.JsonMessages;
import dev.larder.map.LarderMap;
import java.io.PrintStream;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints entries. */
@Command(
        name = "scan",
        description = "Prints entries in no order, one per line: key, tab, value. Control characters are escaped. "
                + "With --json each line is an object.",
        mixinStandardHelpOptions = true,
        footer = {
            ExitCode.EXAMPLES,
            "  larder map scan stock --count 10",
            "  larder map scan stock --keys-only",
            ExitCode.HELP
        })
public final class MapScanCommand implements Callable<Integer> {

    private static final int CHECK_EVERY = 1 << 12;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private MapArguments arguments = new MapArguments();

    @Mixin
    private EntryForms forms = new EntryForms();

    @Option(
            names = {"-n", "--count"},
            paramLabel = "COUNT",
            description = "Print at most this many entries.")
    private long count = Long.MAX_VALUE;

    @Option(names = "--keys-only", description = "Leave out the values.")
    private boolean keysOnly;

    @Override
    public Integer call() {
        if (count < 0) {
            throw new ParameterException(command.commandLine(), "--count " + count + " is negative");
        }
        try (OpenMap open = arguments.openToRead()) {
            print(open.map(), open.keys(forms), open.values(forms));
        }
        return ExitCode.OK;
    }

    /** Prints until the end or the count, or until the output's reader stops ({@code | head}). */
    private void print(LarderMap<byte[], byte[]> map, EntryForm keys, EntryForm values) {
        PrintStream out = Larder.streams(command).out();
        Iterator<Map.Entry<byte[], byte[]>> entries = map.entrySet().iterator();
        for (long printed = 0; printed < count && entries.hasNext(); printed++) {
            Map.Entry<byte[], byte[]> entry = entries.next();
            out.print(arguments.json() ? json(keys, values, entry) : line(keys, values, entry));
            out.print('\n');
            if (printed % CHECK_EVERY == CHECK_EVERY - 1 && out.checkError()) {
                return;
            }
        }
        out.flush();
    }

    private String line(EntryForm keys, EntryForm values, Map.Entry<byte[], byte[]> entry) {
        String key = keys.plain(entry.getKey());
        return keysOnly ? key : key + "\t" + values.plain(entry.getValue());
    }

    private String json(EntryForm keys, EntryForm values, Map.Entry<byte[], byte[]> entry) {
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("key", keys.json(entry.getKey()));
        if (!keysOnly) {
            line.put("value", values.json(entry.getValue()));
        }
        return JsonMessages.json(line);
    }
}
