package dev.larder.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The users of a server, whose sessions keep them, and what happens when they go. */
final class UsersTest {

    @TempDir
    private Path directory;

    private final Users users = new Users();

    private User bob() {
        return Objects.requireNonNull(users.find("bob"));
    }

    private void load(String... lines) throws Exception {
        UserFile.load(Files.write(directory.resolve("users.acl"), List.of(lines)), users);
    }

    /** Regression: its sessions close a moment later, and ran commands with its rights until then. */
    @Test
    void aRemovedUserHasNoRightsBeforeAnybodyIsToldOfIt() throws Exception {
        List<User> told = new ArrayList<>();
        users.listeners(
                removed -> {
                    assertThat(removed).allMatch(User::isRemoved).noneMatch(UsersTest::hasRights);
                    told.addAll(removed);
                },
                changed -> {});
        users.set("bob", List.of("on", "nopass", "~*", "&*", "+@all"));
        User first = bob();
        assertThat(hasRights(first)).isTrue();
        users.remove("bob");
        load("user bob on nopass ~* &* +@all");
        User second = bob();
        load("user bob on nopass ~* &* +@all");
        assertThat(told).containsExactly(first, second);
        assertThat(hasRights(bob())).isTrue();
        assertThat(hasRights(users.standard())).isTrue();
    }

    private static boolean hasRights(User user) {
        return user.permissions().isUnlimited() || user.permissions().isEnabled();
    }

    /** Regression: ACL LOAD removed all users before it added those of the file, so their AUTH failed meanwhile. */
    @Test
    void aUserWhoIsInTheFileMayAuthenticateWhileItIsLoaded() throws Exception {
        users.set("bob", List.of("on", ">secret"));
        byte[] secret = "secret".getBytes(StandardCharsets.UTF_8);
        AtomicBoolean lacked = new AtomicBoolean();
        AtomicBoolean ended = new AtomicBoolean();
        Thread client = Thread.ofPlatform().start(() -> {
            while (!ended.get()) {
                if (users.authenticate("bob", secret) == null) {
                    lacked.set(true);
                }
            }
        });
        for (int i = 0; i < 300 && !lacked.get(); i++) {
            load("user bob on >secret", "user default on nopass ~* &* +@all");
        }
        ended.set(true);
        client.join();
        assertThat(lacked).isFalse();
    }
}
