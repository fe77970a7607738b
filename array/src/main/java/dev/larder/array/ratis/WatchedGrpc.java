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
 * Ratis' gRPC, which registers its appenders with {@link JoiningPeers}, and receives entries by {@link FollowerAppends}. Ratis
 * finds this class by its name.
 */
public final class WatchedGrpc implements RpcType {

    private static final String PEERS = "larder.joining.peers";

    /** Called by Ratis. */
    public WatchedGrpc() {}

    /** Puts the registry of joining peers into the parameters of a server. */
    static void put(Parameters parameters, JoiningPeers peers) {
        parameters.put(PEERS, peers, JoiningPeers.class);
    }

    @Override
    public String name() {
        return WatchedGrpc.class.getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        Optional<JoiningPeers> peers = Optional.ofNullable(parameters.get(PEERS, JoiningPeers.class));
        return new GrpcFactory(parameters) {

            @Override
            public LogAppender newLogAppender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
                LogAppender made = new MemberAppender(server, state, follower);
                peers.ifPresent(known -> known.add(made));
                return made;
            }

            @Override
            public GrpcServices newRaftServerRpc(RaftServer server) {
                return super.newRaftServerRpc(FollowerAppends.of(server));
            }
        };
    }
}
