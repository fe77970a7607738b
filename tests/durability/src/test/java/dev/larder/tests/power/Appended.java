package dev.larder.tests.power;

/** A message that was appended, and where. */
record Appended(long position, int length, Message message) {}
