package dev.larder.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Values that change together, or not at all. */
final class SettingsTest {

    private final Settings settings = new Settings();
    private final List<String> told = new ArrayList<>();

    private static Map<String, String> changes() {
        Map<String, String> changes = new LinkedHashMap<>();
        changes.put("timeout", "7");
        changes.put("maxclients", "8");
        return changes;
    }

    /** A listener of a value may fail in any way, for instance because a file cannot be written. */
    @Test
    void noValueIsChangedWhereWhoHearsOfOneFails() {
        String clients = settings.text("maxclients");
        settings.onChange("timeout", value -> told.add(value + " beside " + settings.text("maxclients")));
        settings.afterChange("maxclients", value -> {
            throw new IllegalStateException("it cannot be " + value);
        });
        told.clear();
        assertThatThrownBy(() -> settings.change(changes())).hasMessage("it cannot be 8");
        assertThat(settings.text("timeout")).isEqualTo("0");
        assertThat(settings.text("maxclients")).isEqualTo(clients);
        assertThat(told).containsExactly("7 beside 8", "0 beside " + clients);
    }

    /** A change that is taken back would leave the default user without the passwords of ACL SETUSER. */
    @Test
    void thePasswordIsToldBehindWhatMayBeRefused() {
        settings.afterChange("requirepass", told::add);
        settings.afterChange("timeout", value -> {
            throw new SettingException("not " + value);
        });
        Map<String, String> changes = new LinkedHashMap<>();
        changes.put("requirepass", "secret");
        changes.put("timeout", "7");
        assertThatThrownBy(() -> settings.change(changes)).hasMessage("not 7");
        assertThat(told).isEmpty();
        assertThat(settings.text("requirepass")).isEmpty();
    }
}
