package dev.larder.lab.report;

import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.Require;
import java.io.StringReader;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/** Texts about how a result was measured, and how to read it, from {@code texts.properties}. */
public final class Texts {

    private static final String FILE = "texts.properties";

    private Texts() {}

    /** Returns texts, such as {@code map.how}. */
    public static List<String> of(String... names) {
        Properties all = new Properties();
        Attempt.to("read " + FILE, () -> all.load(new StringReader(Drawing.resource(FILE))));
        return Stream.of(names)
                .map(name -> Require.present(all.getProperty(name), FILE + " has no '" + name + "'"))
                .toList();
    }
}
