package dev.larder.array.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.array.node.MembersFile.Origin;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member is what the file says, also if a write of the file has failed. */
final class MembersFileTest {

    @TempDir
    private Path folder;

    @Test
    void shouldChangeNoMemberThatItCouldNotWrite() throws IOException {
        MembersFile.create(folder, Map.of(3, false));
        MembersFile file = MembersFile.read(folder);
        file.put(4, Origin.MAKING, false);
        Map<Integer, MembersFile.Entry> before = file.all();
        Path inTheWay = Files.createDirectory(folder.resolve("array.members.tmp"));
        assertThatThrownBy(() -> file.put(4, Origin.JOINED, false)).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> file.put(5, Origin.MAKING, false)).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> file.remove(3)).isInstanceOf(StorageException.class);
        assertThat(file.all()).isEqualTo(before);
        assertThat(MembersFile.read(folder).all()).isEqualTo(before);
        Files.delete(inTheWay);
        file.put(4, Origin.JOINED, false);
        assertThat(MembersFile.read(folder).all()).containsEntry(4, MembersFile.Entry.of(Origin.JOINED, false));
    }
}
