package dev.larder.tests.redis;

import java.util.List;

/**
 * An event that the suite reports about a unit that it runs.
 *
 * @param kind {@code testing}, {@code ok}, {@code err}, {@code skip}, {@code ignore}, {@code server-spawned} ...
 * @param text the name of a test, the process id of a server, or a message
 */
record SuiteEvent(String kind, String text) {

    static SuiteEvent of(String packet) {
        List<String> fields = TclList.parse(packet);
        return new SuiteEvent(fields.getFirst(), fields.size() > 1 ? fields.get(1) : "");
    }
}
