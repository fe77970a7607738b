/** What is dropped, and what holds it back. */
package dev.larder.log.retain;
