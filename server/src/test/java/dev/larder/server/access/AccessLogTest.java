package dev.larder.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.server.access.AccessLog.Entry;
import org.junit.jupiter.api.Test;

/** The log of refusals, whose texts clients without rights choose. */
final class AccessLogTest {

    private final AccessLog log = new AccessLog();

    private Entry logged(String object, String user, String client) {
        log.setMost(2);
        log.add(new Entry(1, "channel", "toplevel", object, user, 0, client));
        return log.newest(1).getFirst();
    }

    /** Regression: 128 refusals of 100 MB each filled the heap. */
    @Test
    void longTextsAreCut() {
        Entry entry = logged("o".repeat(1000), "u".repeat(1000), "c".repeat(10_000));
        assertThat(entry.object()).isEqualTo("o".repeat(128) + "... (872 more characters)");
        assertThat(entry.user()).isEqualTo("u".repeat(128) + "... (872 more characters)");
        assertThat(entry.client()).isEqualTo("c".repeat(1024) + "... (8976 more characters)");
    }

    @Test
    void aTextIsCutBetweenCharacters() {
        String object = "o".repeat(127) + "\uD83D\uDE00" + "p";
        assertThat(logged(object, "bob", "").object()).isEqualTo("o".repeat(127) + "... (3 more characters)");
        assertThat(logged("o".repeat(128), "bob", "").object()).isEqualTo("o".repeat(128));
    }

    @Test
    void theSameLongRefusalIncreasesACount() {
        Entry once = logged("o".repeat(1000), "bob", "c");
        Entry twice = logged("o".repeat(1000), "bob", "c");
        assertThat(log.newest(9)).hasSize(1);
        assertThat(twice.count()).isEqualTo(2);
        assertThat(twice.object()).isEqualTo(once.object());
    }
}
