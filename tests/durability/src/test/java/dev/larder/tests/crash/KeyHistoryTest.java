package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.larder.tests.crash.MapClerk.Kind;
import dev.larder.tests.crash.MapClerk.Note;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The search finds an order if there is one, and reports if there is none. Another checker agrees on each history. */
final class KeyHistoryTest {

    @Test
    void anotherCheckerIsThere() {
        assumeThat(MapPorcupine.missing().orElse("")).isEmpty();
        assertThat(MapPorcupine.misfit(List.of(put(5, 0, 1, 2), get(6, 3, 4))).orElse("none"))
                .contains("key 0: 2 calls have no order", "drawn in");
    }

    private static Note call(Kind kind, long argument, long result, long called, long returned) {
        return new Note(kind, 0, argument, result, called, returned);
    }

    private static Note put(long value, long before, long called, long returned) {
        return call(Kind.PUT, value, before, called, returned);
    }

    private static Note get(long value, long called, long returned) {
        return call(Kind.GET, 1, value, called, returned);
    }

    private static boolean fits(Note... notes) {
        boolean fits = new KeyHistory(List.of(notes)).misfit().isEmpty();
        if (MapPorcupine.missing().isEmpty()) {
            assertThat(MapPorcupine.misfit(List.of(notes)).isEmpty())
                    .as("the other checker on %s", List.of(notes))
                    .isEqualTo(fits);
        }
        return fits;
    }

    @Test
    void acceptsWhatCameOneAfterTheOther() {
        assertThat(fits()).isTrue();
        assertThat(fits(put(5, 0, 1, 2), get(5, 3, 4), call(Kind.REMOVE, 1, 5, 5, 6), get(0, 7, 8)))
                .isTrue();
        assertThat(fits(call(Kind.PUT_IF_ABSENT, 5, 0, 1, 2), call(Kind.PUT_IF_ABSENT, 6, 5, 3, 4), get(5, 5, 6)))
                .isTrue();
        assertThat(fits(put(5, 0, 1, 2), call(Kind.COMPUTE, 7, MapClerk.computed(5, 7), 3, 4)))
                .isTrue();
    }

    @Test
    void findsTheOrderOfWhatCameAtOnce() {
        assertThat(fits(put(5, 6, 1, 10), put(6, 0, 2, 9), get(5, 11, 12))).isTrue();
        assertThat(fits(put(5, 0, 1, 10), get(0, 2, 3), get(5, 4, 5), call(Kind.REMOVE, 1, 5, 6, 12)))
                .isTrue();
    }

    @Test
    void refusesAValueThatWasReplaced() {
        assertThat(fits(put(5, 0, 1, 2), put(6, 5, 3, 4), get(5, 5, 6))).isFalse();
        assertThat(fits(put(5, 0, 1, 2), call(Kind.REMOVE, 1, 5, 3, 4), get(5, 5, 6)))
                .isFalse();
    }

    @Test
    void refusesALostChange() {
        assertThat(fits(put(5, 0, 1, 10), put(6, 0, 2, 9))).isFalse();
        assertThat(fits(put(5, 0, 1, 2), get(0, 3, 4))).isFalse();
        Note first = call(Kind.COMPUTE, 7, MapClerk.computed(0, 7), 1, 10);
        Note second = call(Kind.COMPUTE, 8, MapClerk.computed(0, 8), 2, 9);
        assertThat(fits(first, second)).isFalse(); // both found nothing
    }

    @Test
    void refusesTwoWinners() {
        assertThat(fits(call(Kind.PUT_IF_ABSENT, 5, 0, 1, 10), call(Kind.PUT_IF_ABSENT, 6, 0, 2, 9)))
                .isFalse();
    }

    /** Two readers, one after the other, must not see a value come and go while it is put. */
    @Test
    void refusesWhatComesAndGoes() {
        assertThat(fits(put(5, 0, 1, 10), get(5, 2, 3), get(0, 4, 5))).isFalse();
    }

    @Test
    void refusesWhatWasNeverPut() {
        assertThat(fits(put(5, 0, 1, 2), get(7, 3, 4))).isFalse();
    }

    @Test
    void letsACallThatDidNotReturnHaveHappenedOrNot() {
        Note killed = KeyHistory.unreturned(put(6, 0, 3, 0), 5);
        assertThat(fits(put(5, 0, 1, 2), killed, get(5, 6, 7), get(5, 8, 9))).isTrue();
        assertThat(fits(put(5, 0, 1, 2), killed, get(6, 6, 7), get(6, 8, 9))).isTrue();
        assertThat(fits(put(5, 0, 1, 2), killed, get(5, 6, 7), get(6, 8, 9))).isFalse(); // not after its end
    }

    /** A long correct history of overlapping calls, and the same one with one result changed, which has no order. */
    @Test
    void tellsALongHistoryFromOneThatIsSlightlyBroken() {
        List<Note> notes = longHistory();
        assertThat(new KeyHistory(notes).misfit()).isEmpty();
        assertThat(MapPorcupine.misfit(notes)).isEmpty();
        for (int broken = 100; broken < notes.size(); broken += 400) {
            List<Note> changed = new ArrayList<>(notes);
            Note note = changed.get(broken);
            changed.set(broken, call(note.kind(), note.argument(), note.result() + 2, note.called(), note.returned()));
            assertThat(new KeyHistory(changed).misfit().orElse("none"))
                    .as("with the result of call %s changed", broken)
                    .contains(" of 3000 calls have an order", "result=" + (note.result() + 2));
            if (MapPorcupine.missing().isEmpty()) {
                assertThat(MapPorcupine.misfit(changed))
                        .as("with call %s changed", broken)
                        .isPresent();
            }
        }
    }

    private static List<Note> longHistory() {
        SplittableRandom random = new SplittableRandom(7);
        List<Kind> kinds = List.of(Kind.values());
        List<Note> notes = new ArrayList<>();
        long value = 0;
        for (int i = 0; i < 3000; i++) {
            Kind kind = kinds.get(random.nextInt(kinds.size()));
            long argument = i * 8L + 8;
            long computed = MapClerk.computed(value, argument);
            long moment = i * 10L + 100;
            long called = moment - random.nextInt(25);
            notes.add(
                    call(kind, argument, kind == Kind.COMPUTE ? computed : value, called, moment + random.nextInt(25)));
            value = switch (kind) {
                case GET -> value;
                case PUT -> argument;
                case REMOVE -> 0;
                case PUT_IF_ABSENT -> value == 0 ? argument : value;
                case COMPUTE -> computed;
            };
        }
        return notes;
    }
}
