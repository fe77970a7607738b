/**
 * The experiment {@code heap}: the same values in a map on a big heap, under each collector, and outside the heap.
 *
 * <pre>
 *   HeapExperiment ── HeapRun ── a generator, and one target after another, each a JVM with its own collector and heap
 *                                 HeapTarget: HeapService, Refresh
 *                                  ValueStore: MapStore, RegionStore, and the stores of rivals
 * </pre>
 */
package dev.larder.lab.heap;
