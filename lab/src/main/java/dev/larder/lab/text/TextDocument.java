package dev.larder.lab.text;

/**
 * A piece of text with its name.
 *
 * @param title its name in the source
 * @param body its words as in the source
 */
public record TextDocument(String title, String body) {}
