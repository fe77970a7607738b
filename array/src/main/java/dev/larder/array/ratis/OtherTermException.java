package dev.larder.array.ratis;

import org.apache.ratis.protocol.exceptions.StateMachineException;

/** Reports that an entry was not appended: it belongs to another term than the present one. */
final class OtherTermException extends StateMachineException {

    private static final long serialVersionUID = 1;

    OtherTermException(long term, long now) {
        super("an entry of term " + term + " was not appended: it is term " + now, /* leaderShouldStepDown */ false);
    }
}
