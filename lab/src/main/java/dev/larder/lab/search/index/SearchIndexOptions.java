package dev.larder.lab.search.index;

/**
 * What an index is to be.
 *
 * @param documents how many
 * @param seed of the documents
 * @param vectorDimensions of the vector of each document; 0 for none
 * @param threads that index
 * @param commitEvery so many documents; an interrupted build goes on at the last commit
 */
public record SearchIndexOptions(long documents, long seed, int vectorDimensions, int threads, long commitEvery) {}
