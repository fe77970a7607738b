/** What all rooms above share of an open log. */
package dev.larder.log.context;
