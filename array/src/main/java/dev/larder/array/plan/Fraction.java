package dev.larder.array.plan;

/** A fraction of at least 0. Shares are compared exactly: a rounded one could count as a member too many. */
record Fraction(long numerator, long denominator) implements Comparable<Fraction> {

    /** Returns the greatest whole number that is not above this fraction. */
    int floor() {
        return Math.toIntExact(Math.floorDiv(numerator, denominator));
    }

    /** Returns the smallest whole number that is not below this fraction. */
    int ceiling() {
        return Math.toIntExact(Math.ceilDiv(numerator, denominator));
    }

    Fraction times(long factor) {
        return new Fraction(Math.multiplyExact(numerator, factor), denominator);
    }

    Fraction by(long divisor) {
        return new Fraction(numerator, Math.multiplyExact(denominator, divisor));
    }

    @Override
    public int compareTo(Fraction other) {
        return Long.compare(
                Math.multiplyExact(numerator, other.denominator), Math.multiplyExact(other.numerator, denominator));
    }
}
