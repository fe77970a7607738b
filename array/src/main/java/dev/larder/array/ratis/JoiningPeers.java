package dev.larder.array.ratis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.ratis.server.leader.LogAppender;

/**
 * The peers that leaders of this node are about to add. Ratis 3.3.0 gives up a peer that is silent, but it looks in two cases only. The
 * peer has taken an entry, or the leader has had nothing to do for the longest election time-out. The leader of a busy stripe always has
 * something to do: its change of members would never end, and there could be no other. So this class tells it to look.
 * For a member it does not: a leader that has always something to do does not see that it has lost the others.
 *
 * <p>Thread-safe.
 */
final class JoiningPeers {

    /** All that were made and are in use. */
    private final Set<LogAppender> appenders = Collections.newSetFromMap(new WeakHashMap<>());

    /** Takes what sends entries to a peer. */
    synchronized void add(LogAppender appender) {
        appenders.add(appender);
    }

    /** Returns them. */
    synchronized List<LogAppender> all() {
        return new ArrayList<>(appenders);
    }

    /** Has each leader look at the peers that it is about to add. To be called several times a second. */
    void look() {
        for (LogAppender appender : all()) {
            if (appender.isRunning() && MemberAppender.isJoining(appender)) {
                // It looks, whatever the peer has.
                appender.getLeaderState().onFollowerSuccessAppendEntries(appender.getFollower());
            }
        }
    }
}
