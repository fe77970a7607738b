/** What frees space, or decides what goes. */
package dev.larder.map.clean;
