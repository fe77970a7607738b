/** How the components of a type become bytes by a schema, and where schemas are kept. */
package dev.larder.codec.schema;
