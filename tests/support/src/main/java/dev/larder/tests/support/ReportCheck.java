package dev.larder.tests.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The check of every report: each chart is drawn, light and dark, and the page neither fails nor makes further requests. */
public final class ReportCheck {

    private ReportCheck() {}

    /**
     * Opens a report in a browser; skips the test if none is installed.
     *
     * @param report the page
     * @param scratch a directory for the browser's files
     * @return the faults of the report; empty for a good one
     */
    public static List<String> problems(Path report, Path scratch) throws IOException, InterruptedException {
        try (Browser browser = Browser.start(Files.createTempDirectory(scratch, "browser-"))) {
            BrowserPage page = browser.open(report);
            List<String> problems = new ArrayList<>(page.problems());
            page.prefer("dark");
            page.problems().stream()
                    .filter(problem -> !problems.contains(problem))
                    .forEach(problems::add);
            if (page.charts() == 0) {
                problems.add("there is no chart");
            }
            return problems;
        }
    }

    /** As {@link #problems}, but if no browser is installed, the rest of the test counts: the check is listed as skipped. */
    public static List<String> problemsIfInstalled(Path report, Path scratch) throws IOException, InterruptedException {
        if (Browser.isInstalled()) {
            return problems(report, scratch);
        }
        Class<?> test = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .getCallerClass();
        SkippedChecks.note(test.getSimpleName() + " > its report in a browser", Browser.MISSING);
        return List.of();
    }
}
