/**
 * An index to search, built from resampled text so that an interruption costs little
 * ({@link dev.larder.lab.search.index.SearchIndex}), and the tasks for it
 * ({@link dev.larder.lab.search.index.QueryPlan}).
 */
package dev.larder.lab.search.index;
