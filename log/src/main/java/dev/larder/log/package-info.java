/**
 * A segmented, append-only, memory-mapped log that any number of processes of a host write and read.
 *
 * <p>Start at {@link dev.larder.log.Log}. {@code docs/formats/log.md} describes the bytes, which {@code RecordWord},
 * {@code SegmentLayout} and {@code ControlLayout} lay out. {@code docs/design/log-protocol.md} argues the protocol.
 */
package dev.larder.log;
