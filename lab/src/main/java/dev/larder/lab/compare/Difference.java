package dev.larder.lab.compare;

import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Something that was not the same when the results were made.
 *
 * @param name such as {@code options.message_bytes}
 * @param values as text, one for each result; a dash where there is none
 */
record Difference(String name, List<String> values) {

    private static final List<String> PARTS = List.of("options", "machine", "jvm");
    private static final List<String> FACTS = List.of("experiment", "seed", "revision", "memory");

    /** Returns what differs between the options, the machines and the JVMs of the results. */
    static List<Difference> between(List<ComparedResult> results) {
        List<Figures> facts = results.stream().map(Difference::facts).toList();
        Set<String> names = new LinkedHashSet<>();
        facts.forEach(each -> names.addAll(each.names()));
        return names.stream()
                .map(name -> new Difference(
                        name, facts.stream().map(each -> text(each, name)).toList()))
                .filter(difference -> difference.values().stream().distinct().count() > 1)
                .toList();
    }

    private static Figures facts(ComparedResult result) {
        Figures facts = new Figures();
        FACTS.forEach(name -> add(facts, name, result.result(), name));
        PARTS.forEach(name -> add(facts, name, result.result(), name));
        return facts;
    }

    private static void add(Figures facts, String path, Figures from, String name) {
        Figures part = from.part(name);
        if (part.names().isEmpty()) {
            facts.put(path, from.get(name));
        } else {
            part.names().forEach(each -> add(facts, path + "." + each, part, each));
        }
    }

    private static String text(Figures facts, String name) {
        Object value = facts.get(name);
        return value == null ? "–" : value.toString();
    }

    Figures figures() {
        return new Figures().put("name", name).put("values", new ArrayList<>(values));
    }
}
