package dev.larder.cli.queue;

import dev.larder.memory.LarderException;
import dev.larder.queue.Tailer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * A place in a queue on the command line.
 *
 * <pre>
 * start  end            before the oldest message, after the newest
 * 12884910080  3:8192   a position, as in JSON output and as in text output
 * #1000                 a sequence: the number of messages before it
 * 2026-01-31T12:00:00Z  a time
 * </pre>
 */
final class QueuePlace {

    static final String LABEL = "start|end|POSITION|#SEQUENCE|TIME";

    private static final Pattern SEGMENT_AND_OFFSET = Pattern.compile("(\\d{1,10}):(\\d{1,10})");

    private QueuePlace() {}

    /** Moves a tailer. A place that cannot be parsed is a usage error that names the option. */
    static void move(Tailer tailer, String option, String place, CommandSpec command) {
        try {
            move(tailer, place);
        } catch (NumberFormatException | DateTimeException e) {
            throw new ParameterException(
                    command.commandLine(),
                    option + " '" + place + "' is not start, end, a position, # and a sequence, or a time",
                    e);
        } catch (IllegalArgumentException e) {
            throw new LarderException(option + " " + place + ": " + e.getMessage(), e); // the queue has no such place
        }
    }

    private static void move(Tailer tailer, String place) {
        switch (place) {
            case "start" -> tailer.toStart();
            case "end" -> tailer.toEnd();
            default -> moveTo(tailer, place);
        }
    }

    private static void moveTo(Tailer tailer, String place) {
        Matcher position = SEGMENT_AND_OFFSET.matcher(place);
        if (place.startsWith("#")) {
            tailer.toSequence(Long.parseLong(place.substring(1)));
        } else if (position.matches()) {
            tailer.moveTo((long) Integer.parseInt(position.group(1)) << 32 | Long.parseLong(position.group(2)));
        } else if (place.indexOf(':') > 0) {
            tailer.toTime(Instant.parse(place));
        } else {
            tailer.moveTo(Long.parseLong(place));
        }
    }
}
