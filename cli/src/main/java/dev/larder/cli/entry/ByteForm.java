package dev.larder.cli.entry;

/** The notation of the bytes of a key or a value on the command line. */
public enum ByteForm {

    /** Output: a typed value by its schema, text if the bytes are UTF-8, else 0x and hex. Input: text. */
    AUTO,

    /** UTF-8. */
    TEXT,

    /** Two hex digits per byte, with an optional 0x before them. */
    HEX,

    /** Base64 as in RFC 4648. */
    BASE64,

    /** 4 bytes, little-endian. */
    INT,

    /** 8 bytes, little-endian. */
    LONG,

    /** 8 bytes, IEEE 754. */
    DOUBLE,

    /** A typed value: the name of its record and JSON, {@code Trade {"symbol":"XY"}}; its schema is in the directory. */
    RECORD
}
