/** The encoding of a type's components to bytes by a schema, and the storage of schemas. */
package dev.larder.codec.schema;
