package dev.larder.array.ratis;

import java.util.Optional;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/**
 * Ratis' gRPC, which registers its appenders with {@link JoiningPeers}, receives entries by {@link FollowerAppends}, and lets
 * no message go ahead of its {@link DurablePromises}. Ratis finds this class by its name.
 */
public final class WatchedGrpc implements RpcType {

    private static final String PEERS = "larder.joining.peers";
    private static final String PROMISES = "larder.promises";

    /** Called by Ratis. */
    public WatchedGrpc() {}

    /** Puts the registry of joining peers and the promises of members into the parameters of a server. */
    static void put(Parameters parameters, JoiningPeers peers, DurablePromises promises) {
        parameters.put(PEERS, peers, JoiningPeers.class);
        parameters.put(PROMISES, promises, DurablePromises.class);
    }

    @Override
    public String name() {
        return WatchedGrpc.class.getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        Optional<JoiningPeers> peers = Optional.ofNullable(parameters.get(PEERS, JoiningPeers.class));
        DurablePromises promises = Optional.ofNullable(parameters.get(PROMISES, DurablePromises.class))
                .orElseGet(() -> new DurablePromises(DiskSync.SYSTEM));
        return new GrpcFactory(parameters) {

            @Override
            public LogAppender newLogAppender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
                LogAppender made = new MemberAppender(server, state, follower);
                peers.ifPresent(known -> known.add(made));
                return made;
            }

            @Override
            public GrpcServices newRaftServerRpc(RaftServer server) {
                return promises.sending(super.newRaftServerRpc(promises.receiving(FollowerAppends.of(server))), server);
            }
        };
    }
}
