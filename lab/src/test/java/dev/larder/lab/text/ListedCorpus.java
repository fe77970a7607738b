package dev.larder.lab.text;

import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** A corpus whose bodies are listed by a test. */
final class ListedCorpus implements Corpus {

    private final Iterator<String> bodies;

    ListedCorpus(String... bodies) {
        this.bodies = Arrays.asList(bodies).iterator();
    }

    @Override
    public String name() {
        return "listed";
    }

    @Override
    public @Nullable TextDocument next() {
        return bodies.hasNext() ? new TextDocument("title", bodies.next()) : null;
    }

    @Override
    public void close() {}
}
