/**
 * JMH benchmarks of the queue: {@code java -jar benchmarks/target/benchmarks.jar}.
 *
 * <p>Each writes or reads a fixed amount of messages in one measured call, so that a run needs a known amount of disk. The
 * score is the time of one message. The baseline of each is a plain copy of the same bytes.
 */
@NullMarked
package dev.larder.benchmarks;

import org.jspecify.annotations.NullMarked;
