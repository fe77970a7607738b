package dev.larder.log;

import java.time.Instant;
import java.util.Optional;

/**
 * The state of a bookmark, which any process can read.
 *
 * @param name its name
 * @param position the position up to which its owner has read; the oldest record's position if it has read nothing yet
 * @param owner the process that holds it; empty if there is none, or it is dead
 * @param absentSince the time since which no process holds it; if its last owner died, the time at which a process noticed
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
