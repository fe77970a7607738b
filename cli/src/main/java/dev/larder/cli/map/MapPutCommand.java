package dev.larder.cli.map;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.cli.entry.EntryForm;
import dev.larder.cli.entry.EntryForms;
import dev.larder.cli.entry.EntryText;
import dev.larder.cli.entry.JsonMessages;
import dev.larder.map.LarderMap;
import dev.larder.map.Lifetime;
import dev.larder.memory.LarderException;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Puts an entry. */
@Command(
        name = "put",
        description = "Puts an entry. It is durable when the command ends. Other processes may have the map open. "
                + "Only --lifetime gives the entry a lifetime, not the options of those processes.",
        mixinStandardHelpOptions = true,
        footer = {
            ExitCode.EXAMPLES,
            "  larder map put stock flour 12",
            "  larder map put stock flour 12 --lifetime 12h",
            "  larder map put stock picture < picture.png",
            ExitCode.HELP
        })
final class MapPutCommand implements Callable<Integer> {

    private static final Pattern LINE_END = Pattern.compile("\\r?\\n\\z");

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private MapArguments arguments = new MapArguments();

    @Mixin
    private EntryForms forms = new EntryForms();

    @Parameters(index = "1", paramLabel = "KEY", description = EntryForms.KEY)
    private String key = "";

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "VALUE",
            description = "The value, in the form of --values. Without it, the command reads the standard input: raw "
                    + "bytes if values are text, bytes or of a codec of your own; else text, without its last "
                    + "line end.")
    private @Nullable String value;

    @Option(names = "--if-absent", description = "Put only if the key has no value; else exit code 1.")
    private boolean ifAbsent;

    @Option(
            names = "--lifetime",
            paramLabel = "TIME",
            description = "The entry expires after this time, such as 90s or 12h; 1ms to 17 years. Not with "
                    + "--if-absent.")
    private @Nullable Duration lifetime;

    @Override
    public Integer call() {
        check();
        try (OpenMap open = arguments.open()) {
            byte[] at = EntryText.requireKey(open.keys(forms).parse(key));
            EntryForm values = open.values(forms);
            byte[] bytes = value == null ? input(values) : values.parse(value);
            byte[] previous = put(open.map(), at, bytes);
            open.sync();
            boolean changed = !ifAbsent || previous == null;
            answer(values, changed, previous);
            return changed ? ExitCode.OK : ExitCode.INVALID;
        }
    }

    private void check() {
        if (value == null && Larder.session(command).isShell()) {
            throw new ParameterException(command.commandLine(), "Missing required parameter: 'VALUE'");
        }
        if (ifAbsent && lifetime != null) {
            throw new ParameterException(command.commandLine(), "--lifetime and --if-absent cannot be given together");
        }
        try {
            Optional.ofNullable(lifetime).ifPresent(Lifetime::sinceWrite);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), "--lifetime: " + e.getMessage(), e);
        }
    }

    private byte @Nullable [] put(LarderMap<byte[], byte[]> map, byte[] at, byte[] bytes) {
        Duration time = lifetime;
        if (time == null) {
            return ifAbsent ? map.putIfAbsent(at, bytes) : map.put(at, bytes);
        }
        byte[] previous = map.get(at);
        map.set(at, bytes, time);
        return previous;
    }

    /** Returns the value in the standard input: its bytes, or its text parsed by a form. */
    private byte[] input(EntryForm values) {
        byte[] bytes = read();
        if (values.takesBytes()) {
            return values.requireStorable(bytes);
        }
        String given = JsonMessages.text(bytes);
        if (given == null) {
            throw new LarderException("the standard input is not UTF-8; the codec " + values.codec() + " needs text");
        }
        return values.parse(LINE_END.matcher(given).replaceFirst(""));
    }

    private byte[] read() {
        try {
            return Larder.streams(command).in().readAllBytes();
        } catch (IOException e) {
            throw new LarderException("cannot read the standard input: " + e.getMessage(), e);
        }
    }

    private void answer(EntryForm values, boolean changed, byte @Nullable [] previous) {
        String plain = previous == null ? "added" : changed ? "replaced" : "there already";
        Larder.streams(command).out().println(arguments.json() ? json(values, changed, previous) : plain);
    }

    private static String json(EntryForm values, boolean changed, byte @Nullable [] previous) {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("changed", changed);
        answer.put("previous", previous == null ? null : values.fittingJson(previous));
        return JsonMessages.json(answer);
    }
}
