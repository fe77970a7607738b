package dev.larder.array.node;

import dev.larder.array.MemberName;
import dev.larder.array.ratis.LogEnd;
import dev.larder.array.slots.Membership;
import dev.larder.memory.CorruptException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A node's report to the others, sent several times a second: the stripes of which it has members, and those that it leads. A
 * frame of the links, big-endian:
 *
 * <pre>
 * 0      1        5
 * | kind | claims | stripes | claims ... | stripes ...      kind: 3
 *
 * claim  | stripe 16 | term 8 | epoch 8 | members 4 | members ... |
 * member | node 4 | incarnation 4 | kind 1 |                   0: receives, 1: votes, 3: votes, and has no store
 * stripe | stripe 16 | kept 8 | applied 8 | runs 1 | term 8 | index 8 |     runs: 0: no, 1: yes, 3: yes, without a store
 * </pre>
 *
 * @param claims the stripes that it leads
 * @param here the stripes of its members
 */
record Leadership(List<Claim> claims, Map<UUID, Here> here) {

    static final byte KIND = 3;

    private static final int HEAD_BYTES = 9;
    private static final int CLAIM_BYTES = 36;
    private static final int MEMBER_BYTES = 9;
    private static final int HERE_BYTES = 49;
    private static final int IS = 1;
    private static final int WITNESS = 2;

    /**
     * A member of the node.
     *
     * @param kept the entry up to which its store is durable, or will be once its files are pulled: it may need all later ones
     * @param applied the entry up to which it has applied all, even if it has ended; -1 while its files are pulled
     * @param runs whether it takes part in Raft
     * @param isWitness whether it runs without a store
     * @param end the last entry of its log
     */
    record Here(long kept, long applied, boolean runs, boolean isWitness, LogEnd end) {

        /** Returns whether it takes entries, or will soon: it runs, or its files are pulled. An ended member reports what it applied. */
        boolean takesEntries() {
            return runs || applied < 0;
        }
    }

    /**
     * A stripe that the node leads.
     *
     * @param term the term in which the node leads
     * @param members the members, by the last committed entry; without voters while that is not known
     */
    record Claim(UUID stripe, long term, Membership members) {

        boolean saysMembers() {
            return !members.voters().isEmpty();
        }

        private int sizeBytes() {
            return CLAIM_BYTES
                    + MEMBER_BYTES
                            * (members.voters().size() + members.listeners().size());
        }
    }

    /** Creates a report; the collections are copied. */
    Leadership {
        claims = List.copyOf(claims);
        here = Map.copyOf(here);
    }

    ByteBuffer encode() {
        int bytes = HEAD_BYTES + claims.stream().mapToInt(Claim::sizeBytes).sum() + here.size() * HERE_BYTES;
        ByteBuffer out = ByteBuffer.allocate(bytes);
        out.put(KIND).putInt(claims.size()).putInt(here.size());
        for (Claim claim : claims) {
            Membership members = claim.members;
            putId(out, claim.stripe).putLong(claim.term).putLong(members.epoch());
            out.putInt(members.voters().size() + members.listeners().size());
            members.voters().forEach(member -> putMember(out, member, flags(true, members.isWitness(member))));
            members.listeners().forEach(member -> putMember(out, member, flags(false, false)));
        }
        here.forEach((stripe, member) -> putId(out, stripe)
                .putLong(member.kept)
                .putLong(member.applied)
                .put(flags(member.runs, member.isWitness))
                .putLong(member.end.term())
                .putLong(member.end.index()));
        return out.flip();
    }

    private static ByteBuffer putId(ByteBuffer out, UUID id) {
        return out.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    }

    private static void putMember(ByteBuffer out, MemberName member, byte flags) {
        out.putInt(member.node()).putInt(member.incarnation()).put(flags);
    }

    private static byte flags(boolean is, boolean isWitness) {
        return (byte) (is ? isWitness ? IS | WITNESS : IS : 0);
    }

    /**
     * Returns the message of a frame.
     *
     * @throws CorruptException if the frame is not valid
     */
    static Leadership decode(ByteBuffer frame) {
        ByteBuffer in = frame.slice();
        int bytes = in.remaining();
        try {
            if (in.get() == KIND) {
                int claims = in.getInt();
                int here = in.getInt();
                Leadership read = new Leadership(claims(in, claims), stripes(in, here));
                if (!in.hasRemaining()) {
                    return read;
                }
            }
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw misfit(bytes, e);
        }
        throw misfit(bytes, null);
    }

    private static CorruptException misfit(int bytes, @Nullable Exception cause) {
        CorruptException misfit = new CorruptException(
                "a frame of " + bytes + " bytes with the stripes that a node leads has another length");
        if (cause != null) {
            misfit.initCause(cause);
        }
        return misfit;
    }

    private static List<Claim> claims(ByteBuffer in, int count) {
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            UUID stripe = id(in);
            long term = in.getLong();
            claims.add(new Claim(stripe, term, members(in, in.getLong(), in.getInt())));
        }
        return claims;
    }

    private static Membership members(ByteBuffer in, long epoch, int count) {
        Set<MemberName> voters = new HashSet<>();
        Set<MemberName> listeners = new HashSet<>();
        Set<MemberName> witnesses = new HashSet<>();
        for (int i = 0; i < count; i++) {
            MemberName member = new MemberName(in.getInt(), in.getInt());
            int flags = in.get();
            ((flags & IS) != 0 ? voters : listeners).add(member);
            if ((flags & WITNESS) != 0) {
                witnesses.add(member);
            }
        }
        return new Membership(epoch, voters, Set.of(), listeners, witnesses);
    }

    private static Map<UUID, Here> stripes(ByteBuffer in, int count) {
        Map<UUID, Here> stripes = new HashMap<>();
        for (int i = 0; i < count; i++) {
            UUID stripe = id(in);
            long kept = in.getLong();
            long applied = in.getLong();
            int flags = in.get();
            stripes.put(
                    stripe,
                    new Here(
                            kept,
                            applied,
                            (flags & IS) != 0,
                            (flags & WITNESS) != 0,
                            new LogEnd(in.getLong(), in.getLong())));
        }
        return stripes;
    }

    private static UUID id(ByteBuffer in) {
        return new UUID(in.getLong(), in.getLong());
    }
}
