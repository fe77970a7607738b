package dev.larder.lab.search.index;

/**
 * An index's definition.
 *
 * @param documents how many
 * @param seed of the documents
 * @param vectorDimensions of the vector of each document; 0 for none
 * @param threads that index
 * @param commitEvery so many documents; an interrupted build resumes at the last commit
 */
public record SearchIndexOptions(long documents, long seed, int vectorDimensions, int threads, long commitEvery) {}
