package dev.larder.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ShellWordsTest {

    @Test
    void splitsAsAShellDoes() {
        assertThat(ShellWords.of("put key  value\t")).containsExactly("put", "key", "value");
        assertThat(ShellWords.of("put 'a key' \"it's\"")).containsExactly("put", "a key", "it's");
        assertThat(ShellWords.of("put a\\ key \"say \\\"no\\\"\"")).containsExactly("put", "a key", "say \"no\"");
        assertThat(ShellWords.of("put 'C:\\d' ''")).containsExactly("put", "C:\\d", "");
        assertThat(ShellWords.of("pu't' k#1 a\"b c\"d")).containsExactly("put", "k#1", "ab cd");
    }

    @Test
    void leavesOutBlankLinesAndComments() {
        assertThat(ShellWords.of("  ")).isEmpty();
        assertThat(ShellWords.of(" # put a b")).isEmpty();
    }

    @Test
    void refusesWhatIsNotClosed() {
        assertThatThrownBy(() -> ShellWords.of("put 'a b")).hasMessage("a ' is not closed");
        assertThatThrownBy(() -> ShellWords.of("put \"a b")).hasMessage("a \" is not closed");
        assertThatThrownBy(() -> ShellWords.of("put a\\")).hasMessage("nothing follows the last \\");
    }
}
