package dev.larder.array.ratis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.ratis.server.leader.LogAppender;

/**
 * The peers that leaders of this node are about to add. Ratis 3.3.0 gives up a silent peer, but checks in two cases only: the
 * peer has taken an entry, or the leader was idle for the longest election time-out. The leader of a busy stripe is never idle.
 * Its change of members would never end, and no other change could begin. So this class makes it check. It does not do so for a
 * member: a leader that is never idle does not notice that it has lost the others.
 *
 * <p>Thread-safe.
 */
final class JoiningPeers {

    /** All appenders that were made and are in use. */
    private final Set<LogAppender> appenders = Collections.newSetFromMap(new WeakHashMap<>());

    /** Adds an appender that sends entries to a peer. */
    synchronized void add(LogAppender appender) {
        appenders.add(appender);
    }

    /** Returns the appenders. */
    synchronized List<LogAppender> all() {
        return new ArrayList<>(appenders);
    }

    /** Makes each leader check the peers that it is about to add. To be called several times a second. */
    void look() {
        for (LogAppender appender : all()) {
            if (appender.isRunning() && MemberAppender.isJoining(appender)) {
                // This call makes it check, whatever the peer has.
                appender.getLeaderState().onFollowerSuccessAppendEntries(appender.getFollower());
            }
        }
    }
}
