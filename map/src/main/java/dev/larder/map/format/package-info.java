/** Pure functions of the bytes of a map: records, index words and pages, the checkpoint, hashes. */
package dev.larder.map.format;
