/** The index: finding, changing, splitting and merging its pages. */
package dev.larder.map.index;
