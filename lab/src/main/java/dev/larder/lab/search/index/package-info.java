/**
 * An index to search, built from re-sampled text so that an interruption costs little
 * ({@link dev.larder.lab.search.index.SearchIndex}), and the tasks that are asked of it
 * ({@link dev.larder.lab.search.index.QueryPlan}).
 */
package dev.larder.lab.search.index;
