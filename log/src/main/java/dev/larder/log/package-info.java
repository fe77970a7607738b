/**
 * A segmented, append-only, memory-mapped log that any number of processes of a host write and read.
 *
 * <p>Start at {@link dev.larder.log.Log}; the bytes are in {@code RecordWord}, {@code SegmentLayout} and
 * {@code ControlLayout}; the protocol is argued in {@code docs/design/log-protocol.md}.
 */
package dev.larder.log;
