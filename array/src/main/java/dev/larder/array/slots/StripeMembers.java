package dev.larder.array.slots;

import dev.larder.array.MemberName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The members of a stripe.
 *
 * @param number the number of the stripe, from 0 on
 * @param id its identity, which is derived from the array's
 * @param members its members; the first is to lead while it can
 * @param witnesses how many of the members, the last ones, keep the log and no store
 */
public record StripeMembers(int number, UUID id, List<MemberName> members, int witnesses) {

    /** Creates members; the list is copied. */
    public StripeMembers {
        members = List.copyOf(members);
    }

    /** Returns whether a member keeps the log, and no store. */
    public boolean isWitness(MemberName member) {
        return members.indexOf(member) >= members.size() - witnesses;
    }

    /** Returns the identity of a stripe of an array. */
    public static UUID id(UUID array, int number) {
        return UUID.nameUUIDFromBytes((array + "/" + number).getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Returns the members of the stripes of a new array, in turn on its nodes: stripe i is led by node i, and so on.
     *
     * @param nodes the numbers of the nodes
     * @param stripes how many stripes there are
     * @param mirrors how many members of each stripe keep its store
     * @param witnesses how many other members a stripe has; with the mirrors at most as many as there are nodes
     */
    public static List<StripeMembers> inTurn(UUID array, List<Integer> nodes, int stripes, int mirrors, int witnesses) {
        List<StripeMembers> all = new ArrayList<>();
        for (int stripe = 0; stripe < stripes; stripe++) {
            List<MemberName> members = new ArrayList<>();
            for (int mirror = 0; mirror < mirrors + witnesses; mirror++) {
                members.add(new MemberName(nodes.get((stripe + mirror) % nodes.size()), 0));
            }
            all.add(new StripeMembers(stripe, id(array, stripe), members, witnesses));
        }
        return all;
    }
}
