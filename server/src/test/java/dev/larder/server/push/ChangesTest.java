package dev.larder.server.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.SyncPolicy;
import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyEvent;
import dev.larder.server.store.Store;
import dev.larder.server.store.StoreOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events of keys, of a store whose clock is set by hand. */
final class ChangesTest {

    private static final Bytes KEY = Bytes.of("k");
    private static final long START_MILLIS = 1_000_000_000_000L;

    @TempDir
    private Path directory;

    private final AtomicLong now = new AtomicLong(START_MILLIS);
    private final List<String> messages = new ArrayList<>();
    private final Channels channels = new Channels();
    private final KeyspaceEvents events = new KeyspaceEvents(channels);
    private final Changes changes = new Changes(events, new Tracking(client -> null));
    private Store store;

    @BeforeEach
    void open() {
        store = Store.open(
                2,
                directory,
                new StoreOptions(
                        SyncPolicy.none(),
                        OptionalLong.empty(),
                        false,
                        1 << 20,
                        () -> Instant.ofEpochMilli(now.get())));
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

    private void put(Bytes key, long deadlineMillis) {
        store.put(key, Bytes.of("v"), deadlineMillis);
        store.tell(key, KeyEvent.SET);
    }

    @Test
    void aKeyThatExpiresIsToldOnceAtItsTime() {
        events.set("Ex");
        put(KEY, START_MILLIS + 1000);
        put(Bytes.of("other"), START_MILLIS + 3000);
        changes.tick();
        now.addAndGet(999);
        changes.tick();
        assertThat(messages()).isEmpty();
        now.addAndGet(2);
        changes.tick();
        changes.tick();
        assertThat(messages()).containsExactly("__keyevent@2__:expired k");
        now.addAndGet(5000);
        changes.tick();
        assertThat(messages()).containsExactly("__keyevent@2__:expired other");
    }

    @Test
    void aKeyWhoseTimeHasChangedIsToldAtTheNewOne() {
        events.set("Ex");
        put(KEY, START_MILLIS + 1000);
        put(KEY, START_MILLIS + 5000);
        put(Bytes.of("sooner"), START_MILLIS + 5000);
        put(Bytes.of("sooner"), START_MILLIS + 1000);
        put(Bytes.of("gone"), START_MILLIS + 1000);
        store.remove(Bytes.of("gone"));
        store.tell(Bytes.of("gone"), KeyEvent.DEL);
        put(Bytes.of("kept"), START_MILLIS + 1000);
        put(Bytes.of("kept"), Store.ENDLESS);
        now.addAndGet(1500);
        changes.tick();
        assertThat(messages()).containsExactly("__keyevent@2__:expired sooner");
        now.addAndGet(4000);
        changes.tick();
        assertThat(messages()).containsExactly("__keyevent@2__:expired k");
    }

    @Test
    void aKeyThatExpiresBeforeItsChangeIsToldExpiresNevertheless() {
        events.set("E$x");
        store.put(KEY, Bytes.of("v"), START_MILLIS + 10);
        now.addAndGet(20);
        store.tell(KEY, KeyEvent.SET);
        changes.tick();
        assertThat(messages()).containsExactly("__keyevent@2__:set k", "__keyevent@2__:expired k");
    }

    @Test
    void whatIsRemovedWithAllDoesNotExpire() {
        events.set("Ex");
        put(KEY, START_MILLIS + 1000);
        store.clear();
        now.addAndGet(5000);
        changes.tick();
        assertThat(messages()).isEmpty();
    }
}
