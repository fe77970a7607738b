package dev.larder.map.index;

/** The condition for a change; checked again whenever another change was faster. */
@FunctionalInterface
public interface Condition {

    Condition ALWAYS = probe -> true;

    Condition ABSENT = probe -> !probe.isPresent();

    Condition PRESENT = Lookup::isPresent;

    /** Returns the condition that nothing changed since a lookup found a state. */
    static Condition unchanged(long state) {
        return probe -> probe.state() == state;
    }

    /** Returns whether what the probe has found lets the change be made. */
    boolean holds(Lookup probe);
}
