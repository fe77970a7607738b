package dev.larder.log;

import java.time.Instant;
import java.util.Optional;

/**
 * A bookmark, as anybody may see it.
 *
 * @param name what it is called
 * @param position up to where its owner has read; where the oldest record begins, if it has read nothing yet
 * @param owner the process that holds it; empty when there is none, or it is dead
 * @param absentSince since when nobody holds it: where its last owner died, since somebody has noticed
 */
public record BookmarkInfo(String name, long position, Optional<Owner> owner, Optional<Instant> absentSince) {

    /**
     * The process that holds a bookmark.
     *
     * @param processId its number, as it sees itself
     * @param since when it took the bookmark
     */
    public record Owner(long processId, Instant since) {}
}
