package dev.larder.server.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyEvent;
import dev.larder.server.store.Store;
import dev.larder.server.store.StoreOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events of the keys of a store. */
final class ChangesTest {

    private static final Bytes KEY = Bytes.of("k");

    @TempDir
    private Path directory;

    private final List<String> messages = new ArrayList<>();
    private final Channels channels = new Channels();
    private final KeyspaceEvents events = new KeyspaceEvents(channels);
    private final Changes changes = new Changes(events, new Tracking(client -> null));
    private Store store;

    @BeforeEach
    void open() {
        store = Store.open(2, directory, StoreOptions.defaults().withSegmentBytes(1 << 20));
        store.listener(changes);
        channels.subscribe(ChannelKind.PATTERN, Bytes.of("__key*"), push -> messages.add(text(push)));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static String text(Push push) {
        ReplyBuffer buffer = new ReplyBuffer();
        push.writeTo(new ReplyEncoder(buffer));
        String[] lines = new String(buffer.toByteArray(), StandardCharsets.US_ASCII).split("\r\n", -1);
        return lines[6] + " " + lines[8];
    }

    private List<String> messages() {
        List<String> taken = List.copyOf(messages);
        messages.clear();
        return taken;
    }

    @Test
    void lettersAreShownAsRedisShowsThem() {
        for (String pair :
                List.of("KEA AKE", "g$xetK g$xetK", "KEAn AKE", "KEAmnt AKEm", "Kg$lshzxetd AK", "Kd dK", "nE nE")) {
            String[] both = pair.split(" ", -1);
            events.set(both[0]);
            assertThat(events.text()).as(both[0]).isEqualTo(both[1]);
        }
        assertThatThrownBy(() -> events.set("KQ"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");
        assertThat(events.text()).isEqualTo("nE");
        events.set("");
        assertThat(events.text()).isEmpty();
    }

    @Test
    void onlyClassesThatAreSetAreTold() {
        store.tell(KEY, KeyEvent.SET);
        assertThat(messages()).isEmpty();
        events.set("KE$");
        store.tell(KEY, KeyEvent.SET);
        store.tell(KEY, KeyEvent.DEL);
        assertThat(messages()).containsExactly("__keyspace@2__:k set", "__keyevent@2__:set k");
        events.set("Eg");
        store.tell(KEY, KeyEvent.SET);
        store.tell(KEY, KeyEvent.DEL);
        assertThat(messages()).containsExactly("__keyevent@2__:del k");
        events.set("KA");
        store.tell(KEY, KeyEvent.XADD);
        store.tell(KEY, KeyEvent.KEYMISS);
        store.tell(KEY, KeyEvent.NEW);
        assertThat(messages()).containsExactly("__keyspace@2__:k xadd");
        events.set("A");
        store.tell(KEY, KeyEvent.SET);
        assertThat(messages()).isEmpty();
        assertThat(store.hears(KeyEvent.KEYMISS)).isFalse();
        events.set("Em");
        assertThat(store.hears(KeyEvent.KEYMISS)).isTrue();
    }
}
