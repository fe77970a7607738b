package dev.larder.lab.search;

import java.nio.charset.StandardCharsets;
import org.apache.lucene.util.automaton.ByteRunAutomaton;
import org.apache.lucene.util.automaton.LevenshteinAutomata;
import org.apache.lucene.util.automaton.UTF32ToUTF8;

/**
 * Work only for the processor, like that of a search: it builds and walks the automaton of all words within two edits of
 * one. The work fits in the processor's caches and does not use the directory. So its time in a fork shows how fast that
 * fork was, whatever happened in memory.
 */
final class ProcessorControl {

    /** The name of its time among the kinds of search. */
    static final String KIND = "processor";

    /** How many of the walked words are within two edits. */
    static final int ACCEPTED = 2;

    private static final String WORD = "processor";
    private static final int EDITS = 2;
    private static final byte[][] WALKED = {
        "processor".getBytes(StandardCharsets.US_ASCII),
        "prcoessor".getBytes(StandardCharsets.US_ASCII),
        "profess".getBytes(StandardCharsets.US_ASCII)
    };

    /** Returns how many of the walked words are within two edits: {@link #ACCEPTED}. */
    int run() {
        ByteRunAutomaton automaton = new ByteRunAutomaton(
                new UTF32ToUTF8().convert(new LevenshteinAutomata(WORD, true).toAutomaton(EDITS)), true);
        int accepted = 0;
        for (byte[] word : WALKED) {
            accepted += automaton.run(word, 0, word.length) ? 1 : 0;
        }
        return accepted;
    }
}
