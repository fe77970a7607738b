package dev.larder.lab.command;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.lab.study.Option;
import dev.larder.lab.study.Study;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The command of a {@link Study}: its options and their help come from the declaration. */
final class StudyCommand<O extends Record> implements Callable<Integer> {

    private final Study<O> study;
    private final LabArguments arguments = new LabArguments();
    private final CommandSpec command;

    private StudyCommand(Study<O> study) {
        this.study = study;
        command = CommandSpec.wrapWithoutInspection(this)
                .name(study.name())
                .mixinStandardHelpOptions(true)
                .addMixin("lab", CommandSpec.forAnnotatedObject(arguments));
        command.usageMessage()
                .sortOptions(false)
                .description(study.description().toArray(String[]::new))
                .footer(
                        ExitCode.EXAMPLES,
                        "  larder lab " + study.name() + " --quick",
                        "  larder lab " + study.name() + " --quick --json --strict > result.json",
                        ExitCode.HELP);
        study.settings().stream()
                .filter(option -> command.findOption(option.name()) == null) // skips common options
                .map(StudyCommand::option)
                .forEach(command::addOption);
    }

    static <O extends Record> CommandLine of(Study<O> study) {
        return new CommandLine(new StudyCommand<>(study).command);
    }

    private static OptionSpec option(Option option) {
        OptionSpec.Builder builder = OptionSpec.builder(option.name()).description(option.help());
        if (option.form().label().isEmpty()) {
            return builder.type(boolean.class).arity("0").build();
        }
        if (!option.words().isEmpty()) {
            builder.completionCandidates(option.words());
        }
        builder.type(List.class)
                .auxiliaryTypes(String.class)
                .arity("1")
                .paramLabel(option.form().label());
        return (option.isList() ? builder.splitRegex(",") : builder).build();
    }

    @Override
    public Integer call() {
        O options;
        try {
            options = study.options(given(command.commandLine().getParseResult()), arguments.quick());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    command.commandLine(), Objects.requireNonNullElse(e.getMessage(), e.toString()), e);
        }
        return arguments.run(study.experiment().apply(options), Larder.streams(command));
    }

    private static Map<String, List<String>> given(ParseResult parsed) {
        Map<String, List<String>> given = new LinkedHashMap<>();
        for (OptionSpec option : parsed.matchedOptions()) {
            List<String> texts = new ArrayList<>();
            option.stringValues().forEach(texts::add);
            given.put(option.longestName(), texts);
        }
        return given;
    }
}
