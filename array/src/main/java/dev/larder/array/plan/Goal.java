package dev.larder.array.plan;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The goal of a stripe.
 *
 * @param stripe its number
 * @param roles the nodes that are to have a member, and its role
 * @param leader the node whose member is to lead: a mirror
 */
public record Goal(int stripe, Map<Integer, Role> roles, int leader) {

    /** Creates a goal; nodes are sorted. */
    public Goal {
        roles = Collections.unmodifiableMap(new TreeMap<>(roles));
    }

    /** Returns how many mirrors the stripe is to have. */
    long mirrors() {
        return roles.values().stream().filter(role -> role == Role.MIRROR).count();
    }

    /** Returns whether a stripe has reached the goal: these members, all voters and current, and this leader. */
    public boolean isReached(Stripe stripe) {
        return stripe.members().size() == roles.size()
                && stripe.leader().filter(name -> name.node() == leader).isPresent()
                && stripe.members().stream()
                        .allMatch(member -> member.votes()
                                && member.condition() == Condition.CURRENT
                                && roles.get(member.node()) == member.role());
    }
}
