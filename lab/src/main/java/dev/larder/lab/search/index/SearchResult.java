package dev.larder.lab.search.index;

/**
 * What a task found.
 *
 * @param hits documents that match, as far as they were counted: Lucene stops counting where it can leave documents out
 * @param checksum of the ten best documents, their scores, and all that was read of them: of the same task on the same
 *     files always the same, whatever directory they lie in
 */
public record SearchResult(long hits, long checksum) {}
