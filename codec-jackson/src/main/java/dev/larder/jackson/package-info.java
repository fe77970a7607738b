/** Values as CBOR, by Jackson. Start at {@link dev.larder.jackson.CborCodec}. */
package dev.larder.jackson;
