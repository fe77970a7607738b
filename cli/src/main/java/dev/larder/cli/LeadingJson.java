package dev.larder.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** Accepts {@code --json} before the words of a command: {@code larder --json queue info orders}. */
final class LeadingJson {

    private static final String JSON = "--json";

    private LeadingJson() {}

    /** Returns the arguments, with a leading {@code --json} moved after the words of the command. */
    static String[] moved(CommandLine larder, String... arguments) {
        List<String> words = new ArrayList<>(List.of(arguments));
        CommandLine command = larder;
        boolean early = false;
        int at = 0;
        while (at < words.size()) {
            CommandLine below = command.getSubcommands().get(words.get(at));
            if (below != null) {
                command = below;
                at++;
            } else if (words.get(at).equals(JSON)) {
                words.remove(at);
                early = true;
            } else {
                break;
            }
        }
        if (early) {
            words.add(at, JSON);
        }
        return words.toArray(String[]::new);
    }
}
