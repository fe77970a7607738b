package dev.larder.tests.power;

/** A message that was appended, and its position. */
record Appended(long position, int length, Message message) {}
