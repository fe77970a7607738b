/** Pure functions of the bytes of a log: layouts, the record word, folds. Nothing here reads a file. */
package dev.larder.log.format;
