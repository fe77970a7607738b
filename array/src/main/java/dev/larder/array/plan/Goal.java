package dev.larder.array.plan;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where a stripe is to be.
 *
 * @param stripe its number
 * @param roles the nodes that are to have a member, and what it keeps
 * @param leader the node whose member is to lead: a mirror
 */
public record Goal(int stripe, Map<Integer, Role> roles, int leader) {

    /** A goal; nodes are sorted. */
    public Goal {
        roles = Collections.unmodifiableMap(new TreeMap<>(roles));
    }

    /** Returns how many mirrors there are to be. */
    long mirrors() {
        return roles.values().stream().filter(role -> role == Role.MIRROR).count();
    }

    /** Returns whether a stripe is where it is to be: these members, all voters and current, and this leader. */
    public boolean isReached(Stripe stripe) {
        return stripe.members().size() == roles.size()
                && stripe.leader().filter(name -> name.node() == leader).isPresent()
                && stripe.members().stream()
                        .allMatch(member -> member.votes()
                                && member.condition() == Condition.CURRENT
                                && roles.get(member.node()) == member.role());
    }
}
