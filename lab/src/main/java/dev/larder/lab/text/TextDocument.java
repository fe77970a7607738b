package dev.larder.lab.text;

/**
 * A piece of text with its name.
 *
 * @param title what the source calls it
 * @param body its words, as they stand there
 */
public record TextDocument(String title, String body) {}
