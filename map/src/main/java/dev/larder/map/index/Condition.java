package dev.larder.map.index;

/** When a change is made: looked at anew whenever another was faster. */
@FunctionalInterface
public interface Condition {

    Condition ALWAYS = probe -> true;

    Condition ABSENT = probe -> !probe.isPresent();

    Condition PRESENT = Lookup::isPresent;

    /** Nothing was changed since a look that has found a state. */
    static Condition unchanged(long state) {
        return probe -> probe.state() == state;
    }

    /** Returns whether what the probe has found lets the change be made. */
    boolean holds(Lookup probe);
}
