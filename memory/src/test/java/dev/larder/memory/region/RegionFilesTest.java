package dev.larder.memory.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.FileSync;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.UnsupportedFileSystemException;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that gets its space in steps, as without native calls and on ext4, is found once it has all of it. */
final class RegionFilesTest {

    private static final long BYTES = 8 << 20;

    @TempDir
    Path directory;

    /** A callback for the moment when the file has half of its space. */
    @FunctionalInterface
    private interface Halfway {
        void reached();
    }

    private static final class Steps extends DelegatingStorage {

        private final Halfway halfway;
        private final boolean hasLinks;

        Steps(Halfway halfway, boolean hasLinks) {
            super(SystemStorage.system());
            this.halfway = halfway;
            this.hasLinks = hasLinks;
        }

        @Override
        public Optional<StorageFile> create(Path file, Access access) {
            return super.create(file, access).map(made -> new DelegatingFile(made) {
                @Override
                public void allocate(long bytes, Allocation allocation) {
                    super.allocate(bytes / 2, allocation);
                    halfway.reached();
                    super.allocate(bytes, allocation);
                }
            });
        }

        @Override
        public boolean link(Path existing, Path name) {
            if (!hasLinks) {
                throw new UnsupportedFileSystemException(name + ": there are no hard links");
            }
            return super.link(existing, name);
        }
    }

    private Path path() {
        return directory.resolve("file");
    }

    private void create(Halfway halfway, boolean hasLinks) {
        RegionFiles.create(new Steps(halfway, hasLinks), path(), BYTES).close();
    }

    private void requireNotThere() {
        assertThatThrownBy(() -> MappedFile.open(path(), FileSync.NONE).close())
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("cannot attach");
    }

    @Test
    void nobodyAttachesToAPart() {
        create(this::requireNotThere, true);
        assertThat(path()).hasSize(BYTES);
        assertThat(SystemStorage.system().list(directory)).containsExactly("file");
    }

    @Test
    void nobodyAttachesToAPartWhereThereAreNoLinks() {
        create(this::requireNotThere, false);
        assertThat(path()).hasSize(BYTES);
        assertThat(SystemStorage.system().list(directory)).containsExactly("file");
        assertThatThrownBy(() -> create(() -> {}, false)).hasMessageContaining("cannot create: it exists");
        assertThat(path()).hasSize(BYTES);
    }

    @Test
    void whoIsFirstWithItHasTheName() {
        Halfway other = () ->
                RegionFiles.create(SystemStorage.system(), path(), 2 * BYTES).close();
        assertThatThrownBy(() -> create(other, true))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("cannot create: it exists");
        assertThat(path()).hasSize(2 * BYTES);
        assertThat(SystemStorage.system().list(directory)).containsExactly("file");
    }

    @Test
    void nothingIsLeftWhereThereIsNoSpace() {
        Halfway full = () -> {
            throw new DiskFullException("no space");
        };
        assertThatThrownBy(() -> create(full, true)).isInstanceOf(DiskFullException.class);
        assertThatThrownBy(() -> create(full, false)).isInstanceOf(DiskFullException.class);
        assertThat(SystemStorage.system().list(directory)).isEmpty();
    }

    /** A maker that locks its file between the unlock and the removal would believe that the file is its own. */
    @Test
    void removesAFileWhileItIsLocked() throws IOException {
        assumeTrue(SystemStorage.isLinux(), "elsewhere an open file may keep its name");
        Files.write(directory.resolve("larder-region-1f.tmp"), new byte[100]);
        List<Boolean> thereWhenUnlocked = new ArrayList<>();
        DelegatingStorage storage = new DelegatingStorage(SystemStorage.system()) {
            @Override
            public Optional<StorageFile> open(Path file, boolean writable) {
                return super.open(file, writable).map(opened -> new DelegatingFile(opened) {
                    @Override
                    public void close() {
                        thereWhenUnlocked.add(Files.exists(file));
                        super.close();
                    }
                });
            }
        };
        RegionFiles.create(storage, path(), BYTES).close();
        assertThat(thereWhenUnlocked).containsExactly(false);
    }

    /** A file that is still in the making is locked. */
    @Test
    void removesWhatAKilledProcessHasLeft() throws IOException {
        Path abandoned = Files.write(directory.resolve("larder-region-1f.tmp"), new byte[100]);
        Path others = Files.write(directory.resolve("region.tmp"), new byte[100]);
        create(() -> assertThat(SystemStorage.system().list(directory)).hasSize(2), true);
        assertThat(abandoned).doesNotExist();
        assertThat(List.of(others, path())).allMatch(Files::exists);
    }
}
