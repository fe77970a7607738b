package dev.larder.tests.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The commands of a page in Markdown: of its {@code sh} blocks, and of its sessions, with the shown output. */
final class GuideCommands {

    /** A command, and the output that a session shows; a block of {@code sh} shows none. */
    record Step(String command, String output) {

        boolean isOfTheLab() {
            return command.contains("larder lab ");
        }

        /** Returns whether another test runs the command, or the command needs what only a build has. */
        private boolean isOfOthers() {
            return command.startsWith("mvn ")
                    || command.startsWith("java ")
                    || command.startsWith("python3 ")
                    || command.contains("larder array ");
        }
    }

    private static final Pattern BLOCK = Pattern.compile("```(sh|console)\n(.*?)```", Pattern.DOTALL);
    private static final Pattern COMMENT = Pattern.compile("\\s+#\\s.*$");
    private static final Pattern INLINE = Pattern.compile("`(?:\\./)?larder ([a-z]+(?: [a-z]+)?)[^`]*`");
    private static final Pattern TABLE = Pattern.compile("\\| `larder ([a-z]+)` \\|.*\n\\| -.*\n((?:\\|.*\n)+)");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]*(?:\\\\\\|[^|]*)*) \\|");
    private static final Pattern CELL = Pattern.compile("`([a-z]+)( [a-z|\\\\]+)?[^`]*`");
    private static final String PROMPT = "$ ";

    private GuideCommands() {}

    /** Returns the steps of a page, in their order. */
    static List<Step> of(Path page) {
        List<Step> steps = new ArrayList<>();
        for (MatchResult block : BLOCK.matcher(read(page)).results().toList()) {
            if (block.group(1).equals("sh")) {
                block.group(2).lines().map(GuideCommands::command).forEach(steps::add);
            } else {
                steps.addAll(session(block.group(2)));
            }
        }
        steps.removeIf(step -> step.isOfOthers() || step.command().isBlank());
        return steps;
    }

    private static Step command(String line) {
        return new Step(COMMENT.matcher(line).replaceFirst(""), "");
    }

    private static List<Step> session(String text) {
        List<Step> steps = new ArrayList<>();
        for (String line : text.lines().toList()) {
            if (line.startsWith(PROMPT)) {
                steps.add(new Step(line.substring(PROMPT.length()), ""));
            } else {
                Step last = steps.removeLast();
                steps.add(new Step(last.command(), last.output() + line + "\n"));
            }
        }
        return steps;
    }

    /** Returns the commands that the text of a page names, without options: {@code queue tail}. */
    static Set<String> named(Path page) {
        String text = read(page);
        Set<String> names = new TreeSet<>();
        INLINE.matcher(text).results().forEach(found -> names.add(found.group(1)));
        for (MatchResult table : TABLE.matcher(text).results().toList()) {
            for (MatchResult row : ROW.matcher(table.group(2)).results().toList()) {
                CELL.matcher(row.group(1)).results().forEach(cell -> addCell(table.group(1), cell, names));
            }
        }
        return names;
    }

    private static void addCell(String group, MatchResult cell, Set<String> names) {
        String command = group + " " + cell.group(1);
        names.add(command);
        if (cell.group(2) != null) {
            for (String part : cell.group(2).strip().replace("\\", "").split("\\|", -1)) {
                names.add(command + " " + part);
            }
        }
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
