package dev.larder.tests.crash;

import dev.larder.tests.crash.MapClerk.Kind;
import dev.larder.tests.crash.MapClerk.Note;
import dev.larder.tests.support.Porcupine;
import java.util.List;
import java.util.Optional;

/** Porcupine's verdict on a map's history: a second opinion beside {@link KeyHistory}. */
final class MapPorcupine {

    private MapPorcupine() {}

    /** Returns why there is no checker; empty if there is one. */
    static Optional<String> missing() {
        return Porcupine.missing();
    }

    /**
     * Judges a history of several keys; empty if each key has an order, or if there is no checker.
     *
     * @return the key that has no order, and the place of a picture of it
     */
    static Optional<String> misfit(List<Note> notes) {
        return Porcupine.misfit("map", notes.stream().map(MapPorcupine::line).toList());
    }

    private static String line(Note note) {
        return note.key() + " " + name(note.kind()) + " " + note.argument() + " " + note.result() + " " + note.called()
                + " " + note.returned();
    }

    private static String name(Kind kind) {
        return switch (kind) {
            case GET -> "get";
            case PUT -> "put";
            case REMOVE -> "remove";
            case PUT_IF_ABSENT -> "putIfAbsent";
            case COMPUTE -> "compute";
        };
    }
}
