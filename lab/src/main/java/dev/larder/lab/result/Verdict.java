package dev.larder.lab.result;

import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.List;

/** The caveats for readers of a result's figures. */
public final class Verdict {

    private Verdict() {}

    /** Returns them in one line, with the caller's reservations about valid figures after the first word. */
    public static String of(Figures result, List<String> reservations) {
        List<String> words = new ArrayList<>();
        words.add(result.flag("valid") ? "valid" : "VOID: " + result.get("invalid_reason"));
        words.addAll(reservations);
        if (!result.flag("complete")) {
            words.add("not complete");
        }
        if (result.flag("disturbed")) {
            words.add("disturbed by the machine");
        }
        return String.join(", ", words);
    }
}
