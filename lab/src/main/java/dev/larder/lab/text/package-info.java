/**
 * Real text to search: read from a source ({@link dev.larder.lab.text.Corpora}), kept as words
 * ({@link dev.larder.lab.text.Fragments}), grown to any number of documents ({@link dev.larder.lab.text.Resampler}).
 */
package dev.larder.lab.text;
