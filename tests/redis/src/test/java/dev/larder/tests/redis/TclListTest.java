package dev.larder.tests.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TclListTest {

    @Test
    void shouldReadWords() {
        assertThat(TclList.parse("ok  ping 12")).containsExactly("ok", "ping", "12");
        assertThat(TclList.parse("")).isEmpty();
    }

    @Test
    void shouldReadWhatIsInBraces() {
        assertThat(TclList.parse("err {a {b c} d} {}")).containsExactly("err", "a {b c} d", "");
        assertThat(TclList.parse("{a \\} b} c")).containsExactly("a \\} b", "c");
    }

    @Test
    void shouldReadWhatIsQuotedOrEscaped() {
        assertThat(TclList.parse("\"a b\" c\\ d \\{e\\n")).containsExactly("a b", "c d", "{e\n");
    }
}
