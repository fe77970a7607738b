package dev.larder.cli;

import dev.larder.lab.result.Rate;

/**
 * A rate given on the command line, such as {@code 10k}.
 *
 * @param value how many a second
 */
record RatePerSecond(double value) {

    static RatePerSecond parse(String text) {
        return new RatePerSecond(Rate.parse(text));
    }
}
