package dev.larder.array.plan;

import java.util.Optional;

/**
 * The reason why a stripe cannot reach its goal by itself.
 *
 * @param stripe its number
 * @param reason the obstacle
 */
public record Obstacle(int stripe, String reason) {

    /** Returns the obstacle of a stripe for which there is no step; empty if the stripe has reached its goal. */
    static Optional<Obstacle> of(Stripe stripe, Goal goal) {
        if (goal.isReached(stripe)) {
            return Optional.empty();
        }
        return Optional.of(new Obstacle(stripe.number(), reason(stripe)));
    }

    private static String reason(Stripe stripe) {
        long voters = stripe.voters().count();
        long alive = stripe.voters()
                .filter(member -> member.condition().acknowledges())
                .count();
        if (stripe.members().isEmpty()) {
            return "it has no members";
        }
        if (2 * alive <= voters) {
            return alive + " of " + voters + " voters acknowledge: not a majority";
        }
        return stripe.leader().isEmpty()
                ? "it has no leader"
                : "members that it needs lack entries: " + stripe.members();
    }
}
