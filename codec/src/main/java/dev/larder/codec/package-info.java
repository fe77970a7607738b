/** Codecs, which turn values into bytes: plain values, records, views of fixed layouts, and codecs of your own. */
package dev.larder.codec;
