import org.jspecify.annotations.NullMarked;

/** Values as CBOR, by Jackson. */
@NullMarked
module dev.larder.jackson {
    requires transitive dev.larder.codec;
    requires tools.jackson.core;
    requires transitive tools.jackson.databind;
    requires tools.jackson.dataformat.cbor;
    requires static org.jspecify;

    exports dev.larder.jackson;
}
