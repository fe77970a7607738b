package dev.larder.log.segment;

import dev.larder.log.format.SegmentLayout;
import dev.larder.log.shared.ControlFile;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

/** The files of a log's segments: which of them exist, by the directory and by the control file. */
public record SegmentFiles(Path directory, Storage storage, ControlFile control) {

    public Path path(int number) {
        return directory.resolve(SegmentLayout.fileName(number));
    }

    /** Returns the numbers of the segments that exist, in order. */
    public List<Integer> numbers() {
        int first = control.firstVolatile();
        return storage.list(directory).stream()
                .map(SegmentLayout::numberOf)
                .filter(number -> number >= first)
                .sorted()
                .toList();
    }

    /** Returns the first segment up to a number whose file is missing; empty if none is. */
    public OptionalInt missingUpTo(int last) {
        Set<Integer> there = new HashSet<>(numbers());
        return IntStream.rangeClosed(control.firstVolatile(), last)
                .filter(number -> !there.contains(number) && sizeBytes(number) == 0 && !isDropped(number))
                .findFirst();
    }

    /**
     * Durably deletes the files of all segments above a number, the highest first. Syncs the directory even if none is left:
     * an opening that was killed may have deleted them, and not durably.
     */
    void deleteAbove(int number) {
        numbers().stream()
                .filter(other -> other > number)
                .toList()
                .reversed()
                .forEach(other -> storage.delete(path(other)));
        storage.syncDirectory(directory);
    }

    /** Returns the size of a segment's file, which need not be mapped for that; 0 if there is no file. */
    public long sizeBytes(int number) {
        Optional<StorageFile> file = storage.open(path(number), false);
        long bytes = file.map(StorageFile::sizeBytes).orElse(0L);
        file.ifPresent(StorageFile::close);
        return bytes;
    }

    /** Returns whether a segment no longer exists, whatever the directory shows. */
    boolean isDropped(int number) {
        return number < control.firstAfterReads();
    }
}
