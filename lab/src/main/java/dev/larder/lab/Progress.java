package dev.larder.lab;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** The progress of a run: one bar, redrawn, on a terminal; plain lines elsewhere. */
public final class Progress {

    private static final int WIDTH = 30;
    private static final int PLAIN_LINES = 20;

    private final PrintStream stream;
    private final boolean terminal;
    private final long start = System.nanoTime();
    private int printed;
    private int lastLength;

    /** Progress on a stream; never standard output, which is for the result. */
    public Progress(PrintStream stream, boolean terminal) {
        this.stream = stream;
        this.terminal = terminal;
    }

    /** Prints one line above the bar. */
    public synchronized void line(String text) {
        clear();
        stream.println(text);
        stream.flush();
    }

    /** Shows that {@code done} of {@code all} steps are done, and describes the last. */
    public synchronized void step(int done, int all, String text) {
        if (terminal) {
            draw(done, all, text);
        } else if ((long) done * PLAIN_LINES / all > printed || done == all) {
            printed = done * PLAIN_LINES / all;
            stream.println(done + "/" + all + "  " + text + "  " + left(done, all));
            stream.flush();
        }
    }

    private void draw(int done, int all, String text) {
        int full = (int) ((long) WIDTH * done / all);
        String bar = "[" + "#".repeat(full) + ".".repeat(WIDTH - full) + "] " + done + "/" + all + "  " + text + "  "
                + left(done, all);
        clear();
        stream.print(bar);
        stream.flush();
        lastLength = bar.length();
    }

    private String left(int done, int all) {
        if (done == 0) {
            return "";
        }
        Duration left = Duration.ofNanos((long) ((double) (System.nanoTime() - start) / done * (all - done)));
        return String.format(Locale.ROOT, "%d:%02d left", left.toMinutes(), left.toSecondsPart());
    }

    /** Removes the bar. */
    public synchronized void clear() {
        if (lastLength > 0) {
            stream.print("\r" + " ".repeat(lastLength) + "\r");
            stream.flush();
            lastLength = 0;
        }
    }
}
