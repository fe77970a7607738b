package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MemberNameTest {

    @Test
    void whatIsWrittenIsRead() {
        MemberName name = new MemberName(12, 3);
        assertThat(name).hasToString("12.3");
        assertThat(MemberName.parse("12.3")).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1.", ".1", "a.1", "1.b", "70000.0", "1.-2", "-1.0"})
    void whatIsNoNameIsNamed(String text) {
        assertThatThrownBy(() -> MemberName.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
