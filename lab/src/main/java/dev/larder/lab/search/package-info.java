/**
 * Measures how fast a Lucene index answers in each directory ({@link dev.larder.lab.search.SearchExperiment}).
 *
 * <pre>
 *   IndexChild        builds the index and derives the tasks, in its own process (search.index, text)
 *   SearchRun         loads on one SearchServer after another; ThroughputRun: forks that take turns
 *     SearchTarget    the server: ServedIndex over a SearchDirectory, Reopener, SearchService
 *     SearchGenerator the generator: SearchWorkload
 *     PressureChild   the companion that takes the page cache
 *   SearchSummary, ThroughputSummary, SearchCharts, SearchReport
 * </pre>
 */
package dev.larder.lab.search;
