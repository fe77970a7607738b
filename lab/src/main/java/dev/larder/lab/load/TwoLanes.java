package dev.larder.lab.load;

import java.util.function.IntPredicate;

/** Two sets of workers: requests of some kinds go aside, and neither wait for the others nor hold them up. */
record TwoLanes(Workers main, Workers aside, IntPredicate isAside) implements Incoming.Handler {

    @Override
    public void take(Incoming request) {
        (isAside.test(request.kind) ? aside : main).take(request);
    }

    @Override
    public void close() {
        main.close();
        aside.close();
    }
}
