package dev.larder.tests.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** A page in a {@link Browser}: what it shows, and which faults it has. */
public final class BrowserPage {

    /** Resolves when the page was loaded, its scripts ran and two frames were drawn. */
    private static final String DRAWN = """
        new Promise(done => {
            const frames = () => requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
            document.readyState === "complete" ? frames() : addEventListener("load", frames);
        })\
        """;

    /** Lists the charts whose drawing has no content of any size. */
    private static final String UNDRAWN = """
        [...document.querySelectorAll(".chart")].filter(chart => {
            const drawn = [...chart.querySelectorAll(".content path")].map(path => path.getBoundingClientRect());
            return !drawn.some(box => box.width > 0 || box.height > 0);
        }).map(chart => chart.id).join("\\n")\
        """;

    private final DevTools tools;
    private final String session;
    private final String address;

    private BrowserPage(DevTools tools, String session, String address) {
        this.tools = tools;
        this.session = session;
        this.address = address;
    }

    static BrowserPage open(DevTools tools, Path page) {
        String target = text(tools.call("", "Target.createTarget", Map.of("url", "about:blank")), "targetId");
        String session =
                text(tools.call("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true)), "sessionId");
        BrowserPage opened =
                new BrowserPage(tools, session, page.toAbsolutePath().toUri().toString());
        opened.load();
        return opened;
    }

    private void load() {
        List.of("Runtime", "Log", "Network", "Page").forEach(domain -> call(domain + ".enable", Map.of()));
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 1280, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        prefer("light");
        call("Page.navigate", Map.of("url", address));
        awaitDrawn();
    }

    private void awaitDrawn() {
        call("Runtime.evaluate", Map.of("expression", DRAWN, "awaitPromise", true));
    }

    /** Makes the page prefer a colour scheme, {@code light} or {@code dark}, and waits until it is drawn anew. */
    public void prefer(String scheme) {
        Map<String, Object> feature = Map.of("name", "prefers-color-scheme", "value", scheme);
        call("Emulation.setEmulatedMedia", Map.of("features", List.of(feature)));
        awaitDrawn();
    }

    /** Returns the page's actions that a report must not take, and the charts that are not drawn; empty for a good page. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        tools.events(session).forEach(event -> addProblem(problems, event));
        evaluate(UNDRAWN).lines().forEach(chart -> problems.add("nothing is drawn in " + chart));
        return problems;
    }

    private void addProblem(List<String> problems, DevTools.Event event) {
        switch (event.method()) {
            case "Runtime.exceptionThrown" -> problems.add("exception: " + event.parameters());
            case "Runtime.consoleAPICalled" -> addMessage(problems, text(event.parameters(), "type"), event);
            case "Log.entryAdded" ->
                addMessage(problems, text(DevTools.map(event.parameters().get("entry")), "level"), event);
            case "Network.requestWillBeSent" -> addRequest(problems, event);
            default -> {
                // says nothing about the page's behaviour
            }
        }
    }

    private static void addMessage(List<String> problems, String level, DevTools.Event event) {
        if (List.of("error", "warning", "assert").contains(level)) {
            problems.add("console " + level + ": " + event.parameters());
        }
    }

    private void addRequest(List<String> problems, DevTools.Event event) {
        String url = text(DevTools.map(event.parameters().get("request")), "url");
        if (!url.equals(address) && !url.startsWith("data:")) {
            problems.add("request: " + url);
        }
    }

    /** Returns the value of a JavaScript expression, as text. */
    public String evaluate(String expression) {
        Map<String, Object> answer = call("Runtime.evaluate", Map.of("expression", "String(" + expression + ")"));
        if (answer.containsKey("exceptionDetails")) {
            throw new IllegalStateException("not evaluated: " + answer.get("exceptionDetails"));
        }
        return text(DevTools.map(answer.get("result")), "value");
    }

    /** Returns how many charts the page has. */
    public int charts() {
        return Integer.parseInt(evaluate("document.querySelectorAll('.chart').length"));
    }

    /** Writes the whole page, as it looks now, into a PNG file. */
    public void screenshot(Path file) throws IOException {
        Map<String, Object> answer = call("Page.captureScreenshot", Map.of("captureBeyondViewport", true));
        Files.write(file, Base64.getDecoder().decode(text(answer, "data")));
    }

    private Map<String, Object> call(String method, Map<String, Object> parameters) {
        return tools.call(session, method, parameters);
    }

    private static String text(Map<String, Object> map, String name) {
        return String.valueOf(map.get(name));
    }
}
