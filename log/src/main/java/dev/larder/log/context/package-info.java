/** The state of an open log that all rooms above share. */
package dev.larder.log.context;
