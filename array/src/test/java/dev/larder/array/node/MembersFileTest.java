package dev.larder.array.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.array.node.MembersFile.Origin;
import dev.larder.array.stripe.StripeState.Place;
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
        file.makes(4, false);
        Map<Integer, MembersFile.Entry> before = file.all();
        Path inTheWay = Files.createDirectory(folder.resolve("array.members.tmp"));
        assertThatThrownBy(() -> file.joins(4, false)).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> file.makes(5, false)).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> file.leaves(3, new Place(2, 719))).isInstanceOf(StorageException.class);
        assertThat(file.all()).isEqualTo(before);
        assertThat(MembersFile.read(folder).all()).isEqualTo(before);
        Files.delete(inTheWay);
        file.joins(4, false);
        assertThat(MembersFile.read(folder).all()).containsEntry(4, MembersFile.Entry.of(Origin.JOINED, false));
    }

    /** The beginning of such a witness's log may be dropped, and its store is deleted. */
    @Test
    void aWitnessThatComesBackBeginsWhereItsFormerStoreEnded() {
        Place durable = new Place(2, 719);
        MembersFile.create(folder, Map.of(3, true, 4, false));
        MembersFile.read(folder).leaves(3, durable);
        MembersFile.read(folder).leaves(4, durable);
        assertThat(MembersFile.read(folder).all()).isEmpty();
        MembersFile.read(folder).joins(3, true);
        MembersFile.read(folder).joins(4, true);
        MembersFile.Entry witness = new MembersFile.Entry(Origin.JOINED, true, durable);
        assertThat(MembersFile.read(folder).all()).isEqualTo(Map.of(3, witness, 4, witness));
    }

    @Test
    void theFormerStoreOfAMirrorOrOfANewMemberDoesNotCount() {
        MembersFile.create(folder, Map.of(3, true, 4, true));
        MembersFile file = MembersFile.read(folder);
        file.leaves(3, new Place(2, 719));
        file.leaves(4, new Place(2, 719));
        file.joins(3, false);
        file.makes(4, true); // it has lost its log
        file.joins(4, true);
        assertThat(file.all())
                .isEqualTo(Map.of(
                        3, MembersFile.Entry.of(Origin.JOINED, false), 4, MembersFile.Entry.of(Origin.JOINED, true)));
    }
}
